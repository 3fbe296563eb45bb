import Glibc
import Runtime
import Testing

extension BellwireSystem {
    /// Kills a part of the system and returns once it is gone; the supervisor starts it anew.
    func kill(_ service: String) async throws {
        let process: Int32
        switch service {
        case "rtpengine", "postgres":
            process = try #require(ProcessTable.child(of: supervisor.child.identifier, named: service))
        default: process = try #require(try await processIdentifier(of: service))
        }
        Glibc.kill(process, SIGKILL)
        _ = try await eventually("the end of \(service)", every: .milliseconds(5)) {
            Glibc.kill(process, 0) == 0 && !ProcessTable.isZombie(process) ? nil : true
        }
    }

    /// Kills the rtpengine that is controlled through a port.
    func killRelay(port: Int) throws { Glibc.kill(try relay(port: port), SIGKILL) }

    func relaySockets(port: Int) throws -> Int { ProcessTable.descriptors(of: try relay(port: port)) }

    private func relay(port: Int) throws -> Int32 {
        try #require(
            ProcessTable.child(of: supervisor.child.identifier, commandLine: "--listen-ng=\(address):\(port)"))
    }

    /// The value of a counter or gauge, of all services together.
    func count(_ name: String) async throws -> Int {
        try await json("counters", "--prefix", name).compactMap { $0["value"] as? Int }.reduce(0, +)
    }

    /// Returns once every service takes work again.
    func recovered() async throws {
        _ = try await eventually("readiness", within: .seconds(40)) { try await self.isReady() ? true : nil }
    }
}
