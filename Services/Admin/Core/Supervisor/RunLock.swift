import Foundation
package import Runtime

/// Holds the run folder for one supervisor; the kernel lets go of it however the process ends.
package final class RunLock: Sendable {
    private let descriptor: OwnedDescriptor

    /// - Throws: `StartFailure` when another one has it.
    package init(_ directory: RunDirectory) throws {
        let path = directory.file("lock")
        descriptor = OwnedDescriptor(try SystemCalls.open(path, O_RDWR | O_CREAT | O_CLOEXEC, mode: 0o600))
        guard flock(descriptor.number, LOCK_EX | LOCK_NB) == 0 else {
            let holder = (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(
                in: .whitespacesAndNewlines)
            throw StartFailure(
                description: "\(directory.path) is in use by another `bellwire up`"
                    + (holder.map { $0.isEmpty ? "" : " (process \($0))" } ?? "")
                    + "; stop that one, or set BELLWIRE_RUN_DIR and BELLWIRE_HOST for a second system")
        }
        ftruncate(descriptor.number, 0)
        try FileHandle(fileDescriptor: descriptor.number, closeOnDealloc: false)
            .write(contentsOf: Data("\(ProcessInfo.processInfo.processIdentifier)\n".utf8))
    }
}
