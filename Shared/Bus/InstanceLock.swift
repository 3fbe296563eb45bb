import Foundation
import Glibc
import Runtime

/// The lock that a process holds for its life under its name. Its file stays: removing it would let two hold "the" lock.
final class InstanceLock: Sendable {
    /// Machine and file: equal only for processes that compete for the same lock.
    let identity: String
    private let descriptor: OwnedDescriptor

    /// Throws `MembershipError`.
    init(runDirectory: String, service: String, instance: String) throws {
        let folder = RunDirectory(runDirectory).file("instances")
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let path = "\(folder)/\(service)-\(instance).lock"
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard number >= 0 else { throw MembershipError.lockUnusable(code: errno) }
        descriptor = OwnedDescriptor(number)
        guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK
                ? MembershipError.nameTaken(service: service, instance: instance)
                : MembershipError.lockUnusable(code: errno)
        }
        var status = stat()
        fstat(number, &status)
        let machine = (try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)) ?? ""
        let host = ProcessInfo.processInfo.hostName
        identity = "\(host)/\(machine.prefix(32))/\(status.st_dev)/\(status.st_ino)"
    }
}
