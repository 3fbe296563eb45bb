import Glibc
import Runtime

/// Files that a command takes in.
package enum InputFile {
    /// - Parameters:
    ///   - path: `-` is standard input.
    ///   - largest: in bytes. What goes on longer, as a device may do for ever, is refused.
    /// - Throws: `CommandFailure`.
    package static func read(_ path: String, atMost largest: Int) throws(CommandFailure) -> [UInt8] {
        let name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? STDIN_FILENO : unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CommandFailure("cannot read \(name) (\(SystemError("open")))") }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw CommandFailure("cannot read \(name) (\(SystemError("read")))") }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
            guard bytes.count <= largest else {
                throw CommandFailure("\(name) is too large: more than \(largest) bytes")
            }
        }
    }
}
