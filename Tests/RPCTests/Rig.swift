import Foundation
import Observability
import RPC

/// Servers and a client over real sockets, in a folder of their own.
final class Rig: Sendable {
    let folder: String
    let resolver: TestResolver
    let counters = Counters()
    let clientCounters = Counters()
    let client: RPCClient
    let logger = Logger(service: "test", instance: "test", level: .error, sink: MemorySink())

    init(
        caller: String = "calls/calls-1", beat: Duration = .seconds(1), resolver: TestResolver = TestResolver()
    ) throws {
        folder = "/tmp/bw-rpc-\(UUID().uuidString.prefix(8))"
        self.resolver = resolver
        client = RPCClient(caller: caller, resolver: resolver, counters: clientCounters, beat: beat)
    }

    func endpoint(_ name: String) -> Endpoint {
        Endpoint(service: "test", instance: name, address: "ipc://\(folder)/\(name).sock")
    }

    func server(
        _ name: String = "test-1", _ service: TestService = TestService(),
        options: RPCServerOptions = RPCServerOptions()
    ) async throws -> RPCServer {
        let server = RPCServer(
            service: "test/\(name)", address: endpoint(name).address, handlers: [service], logger: logger,
            counters: counters, options: options)
        try await server.start()
        return server
    }

    /// Stops everything; the counts of calls and connections are zero then.
    func end(_ servers: RPCServer...) async {
        await client.stop()
        for server in servers { await server.stop() }
        try? FileManager.default.removeItem(atPath: folder)
    }

    func counter(_ name: String, _ labels: [String: String] = [:]) -> Int { counters.counter(name, labels).value }
}
