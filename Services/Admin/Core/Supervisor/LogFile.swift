import Foundation
package import Runtime

/// A child's output under the run folder, kept below a size: the older half moves to `<name>.log.1`.
package struct LogFile: Sendable {
    package let path: String
    private let largestBytes: UInt64

    package init(folder: String, name: String, largestBytes: UInt64 = 8 << 20) {
        path = folder + "/" + name + ".log"
        self.largestBytes = largestBytes
    }

    /// Opens for appending, so that a truncated file goes on at its new end.
    package func open() throws(SystemError) -> OwnedDescriptor {
        OwnedDescriptor(try SystemCalls.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, mode: 0o600))
    }

    /// Copies a file that has grown too large and empties it. The children write to the same file by themselves and
    /// need not be told; lines written between the two steps are lost.
    package func trim() {
        let files = FileManager.default
        let size = (try? files.attributesOfItem(atPath: path)[.size] as? NSNumber)?.uint64Value ?? 0
        guard size > largestBytes else { return }
        try? files.removeItem(atPath: path + ".1")
        try? files.copyItem(atPath: path, toPath: path + ".1")
        try? FileHandle(forWritingTo: URL(fileURLWithPath: path)).truncate(atOffset: 0)
    }

    /// What a program that failed said last, on one line: its last complaint, else its last line.
    package var lastWords: String {
        let lines = tail(lines: 20).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        let complaints = ["FATAL", "PANIC", "error", "ERROR", "could not", "cannot", "must be"]
        return lines.last { line in complaints.contains { line.contains($0) } } ?? lines.last ?? ""
    }

    /// The last lines, for a message.
    package func tail(lines: Int) -> String {
        guard let handle = FileHandle(forReadingAtPath: path) else { return "" }
        defer { try? handle.close() }
        let end = (try? handle.seekToEnd()) ?? 0
        try? handle.seek(toOffset: end > 4096 ? end - 4096 : 0)
        let text = String(decoding: (try? handle.readToEnd()) ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").suffix(lines).map { "    " + $0 }.joined(separator: "\n")
    }
}
