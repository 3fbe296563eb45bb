import Glibc
public import Runtime

/// A file opened for plain reading and writing at places. Its calls block: for a disk thread. Closes with its owner.
public final class DiskFile: Sendable {
    private let descriptor: OwnedDescriptor

    public enum Mode: Sendable {
        case read
        /// Made, and refused when it is there already.
        case create
        case update
    }

    public init(_ path: String, _ mode: Mode) throws(SystemError) {
        let flags: Int32 =
            switch mode {
            case .read: O_RDONLY
            case .create: O_RDWR | O_CREAT | O_EXCL
            case .update: O_RDWR
            }
        descriptor = OwnedDescriptor(try SystemError.check("open", open(path, flags | O_CLOEXEC, 0o640)))
    }

    public func size() throws(SystemError) -> Int {
        var status = stat()
        try SystemError.check("fstat", fstat(descriptor.number, &status))
        return Int(status.st_size)
    }

    /// Writes all bytes at a place; on an error some of them may have been written.
    public func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(descriptor.number, $0.baseAddress! + written, $0.count - written, off_t(offset + written))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw SystemError("write", code: count == 0 ? ENOSPC : errno) }
            written += count
        }
    }

    /// Up to `count` bytes at a place; fewer at the end of the file.
    public func read(_ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        var result = 0
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            while result < count {
                let more = pread(
                    descriptor.number, buffer.baseAddress! + result, count - result, off_t(offset + result))
                if more < 0, errno == EINTR { continue }
                if more < 0 { code = errno }
                guard more > 0 else { break }
                result += more
            }
            initialized = result
        }
        guard code == 0 else { throw SystemError("read", code: code) }
        return bytes
    }

    public func truncate(to size: Int) throws(SystemError) {
        try SystemError.check("ftruncate", ftruncate(descriptor.number, off_t(size)))
    }

    /// Returns once the file would survive a power cut.
    public func sync() throws(SystemError) {
        try SystemError.check("fsync", fsync(descriptor.number))
    }

    /// Takes the file's lock (flock), which a process holds until it closes the file or dies; false when another has it.
    public func tryLock() -> Bool {
        flock(descriptor.number, LOCK_EX | LOCK_NB) == 0
    }
}
