import Bus
import RPC
import Wire

extension Connection {
    /// All live instances of all services, in the services' order.
    var instances: [Endpoint] {
        ServiceProcess.names.flatMap { service in
            membership.instances(of: service).sorted { $0.instance < $1.instance }
        }
    }

    /// What an instance says about itself.
    func status(of endpoint: Endpoint, deadline: Duration? = nil) async throws(RPCError) -> RuntimeV1.Status {
        try await runtime.getStatus(
            RuntimeV1.GetStatusRequest(),
            options: CallOptions(service: endpoint.service, instance: endpoint.instance, deadline: deadline))
    }

    func counters(of endpoint: Endpoint, prefix: String) async throws(RPCError) -> [RuntimeV1.Counter] {
        var request = RuntimeV1.GetCountersRequest()
        request.prefix = prefix
        return try await runtime.getCounters(
            request, options: CallOptions(service: endpoint.service, instance: endpoint.instance)
        ).counters
    }
}
