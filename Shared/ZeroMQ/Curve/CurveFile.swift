import Glibc

/// A small text file: its lines without comments and blank ones, and what tells whether it was changed.
struct CurveFile {
    struct Stamp: Equatable {
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    let lines: [(number: Int, text: String)]
    let mode: UInt32
    let stamp: Stamp

    /// Nil when there is no such file, or it may not be looked at.
    static func stamp(_ path: String) -> Stamp? {
        var status = stat()
        return stat(path, &status) == 0 ? Stamp(status) : nil
    }

    /// A line with single blanks between its words, none around them.
    static func squeezed(_ line: some StringProtocol) -> String {
        line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// False, with errno, when not all of it could be written.
    static func write(_ text: String, to descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest.removeFirst(count)
        }
        return true
    }

    /// The whole file.
    static func text(_ path: String) throws(CurveError) -> String { try load(path).text }

    static func read(_ path: String) throws(CurveError) -> CurveFile {
        let (text, status) = try load(path)
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
            .map { (number: $0 + 1, text: squeezed($1)) }
            .filter { !$0.text.isEmpty && !$0.text.hasPrefix("#") }
        return CurveFile(lines: lines, mode: UInt32(status.st_mode), stamp: Stamp(status))
    }

    private static func load(_ path: String) throws(CurveError) -> (text: String, status: stat) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw CurveError(path, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw CurveError(path, String(cString: strerror(errno))) }
        guard status.st_size <= 1 << 20 else { throw CurveError(path, "is too large") }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw CurveError(path, String(cString: strerror(errno))) }
        guard let text = String(validating: bytes.prefix(count), as: UTF8.self) else {
            throw CurveError(path, "is not UTF-8")
        }
        return (text, status)
    }
}

extension CurveFile.Stamp {
    fileprivate init(_ status: stat) {
        self.init(
            inode: UInt(status.st_ino), size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
            nanoseconds: status.st_mtim.tv_nsec)
    }
}
