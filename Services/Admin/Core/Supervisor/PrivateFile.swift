import Foundation

/// Files that only their owner may read.
package enum PrivateFile {
    /// Replaces the file as a whole; it is never seen half written or readable by others.
    package static func write(_ text: String, to path: String) throws {
        let temporary = path + ".new"
        try? FileManager.default.removeItem(atPath: temporary)
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
        else { throw StartFailure(description: "cannot write \(path)") }
        guard unsafe rename(temporary, path) == 0 else { throw StartFailure(description: "cannot replace \(path)") }
    }
}
