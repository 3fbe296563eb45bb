import Glibc

/// Edits the file that `AllowedKeys` reads, and leaves its comments, owner and mode as they are. Each change replaces the
/// file at once: a process that looks sees the old list or the new one. Two editors at once wait for each other.
public struct AllowedKeysFile: Sendable {
    private let path: String

    /// - Parameter path: need not be there yet: an empty list then.
    public init(path: String) { self.path = path }

    public func list() throws(CurveError) -> [AllowedKey] {
        access(path, F_OK) == 0 ? try AllowedKeys(path: path).all : []
    }

    /// Adds the key, or gives it this name and these roles when it is there already.
    public func allow(_ allowed: AllowedKey) throws(CurveError) {
        try edit { lines in
            let index = lines.firstIndex { (try? AllowedKey(line: CurveFile.squeezed($0)))?.key == allowed.key }
            if let index { lines[index] = allowed.line } else { lines.append(allowed.line) }
            return true
        }
    }

    /// Takes the keys away for which `isMeant` holds; returns them.
    public func delete(where isMeant: (AllowedKey) -> Bool) throws(CurveError) -> [AllowedKey] {
        var deleted: [AllowedKey] = []
        try edit { lines in
            lines.removeAll { line in
                guard let allowed = try? AllowedKey(line: CurveFile.squeezed(line)), isMeant(allowed) else {
                    return false
                }
                deleted.append(allowed)
                return true
            }
            return !deleted.isEmpty
        }
        return deleted
    }

    /// - Parameter change: of the lines; false: nothing is to be written.
    private func edit(_ change: (inout [String]) -> Bool) throws(CurveError) {
        let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw CurveError(path + ".lock", String(cString: strerror(errno))) }
        defer { close(lock) }
        guard flock(lock, LOCK_EX) == 0 else { throw CurveError(path, String(cString: strerror(errno))) }
        // What cannot be read is not to be lost by an edit.
        _ = try list()
        var lines: [String] = []
        var former = stat()
        let exists = stat(path, &former) == 0
        if exists {
            lines = try CurveFile.text(path).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            if lines.last == "" { lines.removeLast() }
        }
        guard change(&lines) else { return }
        let text = lines.map { $0 + "\n" }.joined()
        let temporary = path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CurveError(temporary, String(cString: strerror(errno))) }
        defer { close(descriptor) }
        // The list is no secret, and the services that read it may be another user's.
        fchmod(descriptor, exists ? former.st_mode & 0o7777 : 0o644)
        if exists { fchown(descriptor, former.st_uid, former.st_gid) }
        guard CurveFile.write(text, to: descriptor), fsync(descriptor) == 0, rename(temporary, path) == 0 else {
            let problem = String(cString: strerror(errno))
            unlink(temporary)
            throw CurveError(path, problem)
        }
    }
}
