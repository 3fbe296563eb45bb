import Glibc

/// The plugin's two pipes.
enum StandardStreams {
    static func readInput() -> [UInt8] {
        var input: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(STDIN_FILENO, &part, part.count)
            guard count > 0 else { return input }
            input.append(contentsOf: part[..<count])
        }
    }

    static func writeOutput(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else { exit(1) }
            rest = rest.dropFirst(count)
        }
    }
}
