import Glibc
import Runtime

/// A file that a command makes: it appears under its name only when it is complete, and a former one is replaced at once.
/// What is no plain file, such as /dev/null or a pipe, is written into as it is: it must not be replaced.
package struct OutputFile: ~Copyable {
    private let path: String
    /// Where the bytes go until the file is complete; nil: straight into what is there.
    private let temporary: String?
    private let descriptor: Int32
    private var isComplete = false

    /// - Parameter path: a link is followed.
    /// - Throws: `OutputFailure`.
    package init(_ path: String) throws(OutputFailure) {
        var status = stat()
        let exists = unsafe stat(path, &status) == 0
        let isPlain = !exists || status.st_mode & S_IFMT == S_IFREG
        let place = exists && isPlain ? Self.resolved(path) : path
        let unfinished = isPlain ? "\(place).part-\(getpid())" : nil
        let opened =
            if let unfinished {
                unsafe open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            } else {
                unsafe open(place, O_WRONLY | O_CLOEXEC)
            }
        guard opened >= 0 else { throw OutputFailure(SystemError("open"), path: path) }
        self.path = place
        temporary = unfinished
        descriptor = opened
    }

    deinit {
        close(descriptor)
        if let temporary, !isComplete { unsafe unlink(temporary) }
    }

    /// - Throws: `OutputFailure`, or `OutputClosed` when the reader of a pipe is gone.
    package func write(_ bytes: [UInt8]) throws { try StandardStreams.write(bytes, to: descriptor, path: path) }

    /// Gives the file its name.
    package mutating func complete() throws(OutputFailure) {
        guard let temporary else { return }
        guard unsafe rename(temporary, path) == 0 else { throw OutputFailure(SystemError("rename"), path: path) }
        isComplete = true
    }

    private static func resolved(_ path: String) -> String {
        guard let real = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(real) }
        return unsafe String(cString: real)
    }
}
