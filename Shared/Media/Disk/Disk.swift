import Glibc
public import Runtime

/// File system calls that have no open file. They block: for a disk thread.
public enum Disk {
    /// Makes a folder and those above it.
    public static func makeFolder(_ path: String) throws(SystemError) {
        if mkdir(path, 0o750) == 0 || errno == EEXIST { return }
        let parent = folder(of: path)
        guard errno == ENOENT, parent != path else { throw SystemError("mkdir") }
        try makeFolder(parent)
        guard mkdir(path, 0o750) == 0 || errno == EEXIST else { throw SystemError("mkdir") }
    }

    /// The folder that holds a path.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The names in a folder, without order; none when it is not there.
    public static func list(_ path: String) -> [String] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    public static func rename(_ from: String, to target: String) throws(SystemError) {
        try SystemError.check("rename", Glibc.rename(from, target))
    }

    /// A second name for a file; false when the file system cannot, so that a copy is needed.
    public static func link(_ from: String, to target: String) throws(SystemError) -> Bool {
        if Glibc.link(from, target) == 0 { return true }
        if errno == EXDEV || errno == EPERM || errno == ENOTSUP || errno == EMLINK { return false }
        throw SystemError("link")
    }

    /// A file that is not there is no error.
    public static func remove(_ path: String) throws(SystemError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink") }
    }

    /// Removes a folder and the files in it; folders in it are refused.
    public static func removeFolder(_ path: String) throws(SystemError) {
        for name in list(path) { try remove("\(path)/\(name)") }
        guard rmdir(path) == 0 || errno == ENOENT else { throw SystemError("rmdir") }
    }

    /// Makes the names in a folder survive a power cut.
    public static func syncFolder(_ path: String) throws(SystemError) {
        let descriptor = OwnedDescriptor(try SystemError.check("open", open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)))
        try SystemError.check("fsync", fsync(descriptor.number))
    }

    /// A small file as a whole.
    public static func read(_ path: String, limit: Int = 16 << 20) throws(SystemError) -> [UInt8] {
        let file = try DiskFile(path, .read)
        return try file.read(min(limit, try file.size()), at: 0)
    }

    /// Writes a small file under a temporary name, makes it lasting and puts it in its place.
    public static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let temporary = path + ".tmp"
        try remove(temporary)
        let file = try DiskFile(temporary, .create)
        try file.write(bytes, at: 0)
        try file.sync()
        try rename(temporary, to: path)
        try syncFolder(folder(of: path))
    }
}
