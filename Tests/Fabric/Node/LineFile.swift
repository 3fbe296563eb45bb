import FoundationEssentials
import Glibc

/// A file of whole lines, each written at once.
final class LineFile: Sendable {
    /// Those that were there.
    let lines: [Substring]
    private let descriptor: Int32

    /// What a killed process left of its last line is cut off, unless other processes write the file too.
    init(path: String, isShared: Bool = false) throws {
        descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        let text = isShared ? "" : try String(contentsOfFile: path, encoding: .utf8)
        let whole = text.lastIndex(of: "\n").map { text[...$0] } ?? ""
        lines = whole.split(separator: "\n")
        if !isShared { ftruncate(descriptor, off_t(whole.utf8.count)) }
    }

    deinit { close(descriptor) }

    func append(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        precondition(write(descriptor, bytes, bytes.count) == bytes.count)
    }
}
