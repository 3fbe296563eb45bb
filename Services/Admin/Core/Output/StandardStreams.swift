import Glibc
package import Runtime

/// The reader of our output went away: nothing more is to be said.
package struct OutputClosed: Error {
    package init() {}
}

/// The output cannot be written: exit 74.
package struct OutputFailure: Error, CustomStringConvertible {
    private let cause: SystemError
    private let path: String?

    /// - Parameter path: nil: standard output.
    package init(_ cause: SystemError, path: String? = nil) {
        self.cause = cause
        self.path = path
    }

    package var description: String { "\(path ?? "the output") cannot be written (\(cause))" }
}

/// The process's standard output and error, unbuffered.
package enum StandardStreams {
    /// Makes writing safe: a reader that goes away is an error and no signal, and a stream that was closed before the start
    /// stays one that cannot be written, instead of becoming the first file or socket that is opened.
    static func prepare() {
        _ = signal(SIGPIPE, SIG_IGN)
        for (descriptor, flags) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest free number, which is this one.
            _ = unsafe open("/dev/null", flags)
        }
    }

    /// Writes all of it; waits where the other side is slow.
    /// - Parameter path: names the file in the error; nil: standard output.
    /// - Throws: `OutputClosed` when the reader is gone, else `OutputFailure`.
    package static func write(_ bytes: [UInt8], to descriptor: Int32, path: String? = nil) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&wanted, 1, -1)
            case EPIPE: throw OutputClosed()
            case let code: throw OutputFailure(SystemError("write", code: code), path: path)
            }
        }
    }

    /// Columns of the terminal that standard output is; nil when it is none.
    static var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }
}
