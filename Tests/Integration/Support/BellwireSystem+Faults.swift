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

    /// Returns once every service takes work again.
    func recovered() async throws {
        _ = try await eventually("readiness", within: .seconds(40)) { try await self.isReady() ? true : nil }
    }
}
