import Observability
import RPC
import Testing

/// The two ways to make calls, which behave alike.
enum Transport: CaseIterable, CustomTestStringConvertible {
    case zeroMQ
    case inProcess

    var testDescription: String { "\(self)" }

    func with(
        _ service: TestService = TestService(), caller: String = "calls/calls-1",
        options: RPCServerOptions = RPCServerOptions(), _ body: (any RPCChannel) async throws -> Void
    ) async throws {
        switch self {
        case .inProcess: try await body(InProcessChannel(caller: caller, handlers: [service], options: options))
        case .zeroMQ:
            let rig = try Rig(caller: caller)
            let server = try await rig.server("test-1", service, options: options)
            rig.resolver.set([rig.endpoint("test-1")])
            do {
                try await body(rig.client)
            } catch {
                await rig.end(server)
                throw error
            }
            await rig.end(server)
            #expect(rig.counters.gauge("rpc_in_flight").value == 0)
            #expect(rig.clientCounters.gauge("rpc_client_in_flight").value == 0)
        }
    }
}
