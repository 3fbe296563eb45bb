import Observability
import RPC
import Testing

/// The ways to make calls, which behave alike.
enum Transport: CaseIterable, CustomTestStringConvertible {
    case zeroMQ
    case inProcess
    /// Those two over a bad network: calls come late, and idempotent ones twice.
    case badZeroMQ
    case badInProcess

    /// Those that keep nothing of a stream for themselves.
    static let unbuffered: [Transport] = [.zeroMQ, .inProcess]

    private static let faults = {
        var faults = FaultInjectingChannel.Faults()
        faults.delay = .zero ... .milliseconds(3)
        faults.doubledRequests = 0.5
        return faults
    }()

    var testDescription: String { "\(self)" }

    func with(
        _ service: TestService = TestService(), caller: String = "calls/calls-1",
        options: RPCServerOptions = RPCServerOptions(), _ body: (any RPCChannel) async throws -> Void
    ) async throws {
        switch self {
        case .badZeroMQ:
            try await Transport.zeroMQ.with(service, caller: caller, options: options) { channel in
                try await body(FaultInjectingChannel(channel, Transport.faults, seed: 1))
            }
        case .badInProcess:
            try await Transport.inProcess.with(service, caller: caller, options: options) { channel in
                try await body(FaultInjectingChannel(channel, Transport.faults, seed: 2))
            }
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
