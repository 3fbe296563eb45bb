import Foundation
import Glibc
import Observability
import RPC
import ZeroMQ

/// Servers and clients that speak CURVE over tcp, with one file of allowed keys for all of them.
final class CurveRig: Sendable {
    let folder: String
    let resolver = TestResolver()
    let counters = Counters()
    let clientCounters = Counters()
    let logger = Logger(service: "test", instance: "test", level: .error, sink: MemorySink())

    init(_ keys: [AllowedKey] = []) throws {
        folder = "/tmp/bw-curve-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try allow(keys)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    var allowedPath: String { "\(folder)/allowed" }

    /// Replaces the file as an editor does.
    func allow(_ keys: [AllowedKey]) throws {
        try keys.map { $0.line + "\n" }.joined().write(toFile: allowedPath, atomically: true, encoding: .utf8)
    }

    func credentials(_ secret: CurveSecretKey) throws -> CurveCredentials {
        CurveCredentials(secret: secret, allowed: try AllowedKeys(path: allowedPath, logger: logger))
    }

    func server(
        _ name: String = "test-1", _ secret: CurveSecretKey, _ service: TestService = TestService()
    ) async throws -> RPCServer {
        let server = RPCServer(
            service: "test/\(name)", address: "tcp://127.0.0.1:*", handlers: [service], logger: logger,
            counters: counters, curve: try credentials(secret))
        try await server.start()
        return server
    }

    func endpoint(_ server: RPCServer, _ name: String = "test-1") -> Endpoint {
        Endpoint(service: "test", instance: name, address: server.address)
    }

    func client(_ secret: CurveSecretKey?, caller: String = "calls/calls-1") throws -> RPCClient {
        RPCClient(
            caller: caller, resolver: resolver, counters: clientCounters, beat: .milliseconds(100),
            curve: try secret.map(credentials))
    }

    func refused(_ reason: String) -> Int {
        counters.counter("curve_refused_peers_total", ["socket": "rpc", "reason": reason]).value
    }
}

extension AllowedKey {
    init(_ secret: CurveSecretKey, _ name: String, _ roles: Set<String>) {
        self.init(key: secret.publicKey, name: name, roles: roles)
    }
}

/// Tries until it holds; the test's time limit is the limit.
func eventually(_ condition: () async throws -> Bool) async throws {
    while try await !condition() { try await Task.sleep(for: .milliseconds(5)) }
}
