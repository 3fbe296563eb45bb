import FoundationEssentials
import Glibc

/// The folder that holds all state of a run.
public struct RunDirectory: Sendable {
    /// Absolute, without a slash at its end.
    public let path: String

    /// A relative path is taken from the working directory.
    public init(_ path: String) {
        var absolute = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        while absolute.count > 1 && absolute.hasSuffix("/") { absolute.removeLast() }
        self.path = absolute
    }

    public func file(_ name: String) -> String { path + "/" + name }

    /// Makes a folder below it for this user alone, if it is not there yet.
    ///
    /// - Throws: `ConfigurationError` when no folder can be there, or nothing be written into it.
    public func make(_ name: String? = nil) throws(ConfigurationError) {
        let folder = name.map(file) ?? path
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw unusable(folder)
        }
        guard access(folder, W_OK | X_OK) == 0 else { throw unusable(folder) }
    }

    /// What stands in the way of a folder: the nearest thing on its path that exists.
    private func unusable(_ folder: String) -> ConfigurationError {
        var place = folder
        var status = stat()
        while place.count > 1, unsafe stat(place, &status) != 0, errno == ENOENT || errno == ENOTDIR {
            place = String(place.prefix(upTo: place.lastIndex(of: "/") ?? place.startIndex))
            if place.isEmpty { place = "/" }
        }
        let problem =
            if unsafe stat(place, &status) == 0, status.st_mode & S_IFMT != S_IFDIR {
                "\(place) is not a folder"
            } else if access(place, W_OK | X_OK) != 0 {
                "\(place) cannot be written (\(SystemError("access")))"
            } else {
                "\(folder) cannot be made"
            }
        return ConfigurationError(
            key: ConfigurationKey.runDirectory.variable, problem: problem + "; name another folder")
    }

    /// Where the sockets lie: `sockets` in the run directory, or a folder of this user under /tmp when that path would be
    /// too long for a socket's name (107 bytes).
    public var sockets: String {
        let inside = file("sockets")
        if inside.utf8.count + RunDirectory.longestSocketName <= 107 { return inside }
        return "/tmp/bellwire-\(getuid())-\(RunDirectory.digest(path))"
    }

    /// The path of a socket; its folder is made for this user alone. Throws when somebody else owns the folder.
    public func socket(_ name: String) throws -> String {
        precondition(name.utf8.count < RunDirectory.longestSocketName, "socket name too long")
        let folder = sockets
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let owner = try FileManager.default.attributesOfItem(atPath: folder)[.ownerAccountID] as? Int
        guard owner == Int(getuid()) else { throw SystemError("socket folder of another user", code: EPERM) }
        return folder + "/" + name
    }

    /// Removes the folder of the sockets where that lies under /tmp: nobody would find it with the run's folder. To be
    /// called when nothing runs.
    public func removeOuterSockets() {
        let folder = sockets
        guard !folder.hasPrefix(path + "/") else { return }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static let longestSocketName = 48

    /// FNV-1a, so that each run directory has a folder of its own.
    private static func digest(_ text: String) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return String(hash, radix: 16)
    }
}
