import Glibc
package import Media
import Runtime

/// Keeps audio in a folder: `<root>/<bucket>/<key>`. Written under a temporary name, synced, renamed, its folder synced.
package struct FileMediaStore: MediaStore {
    private static let temporaryPrefix = ".incoming-"
    private let root: String
    private let bucket: String
    private let region: String
    private let disk: DiskThread

    package init(root: String, bucket: String = "voicemail", region: String = "local", disk: DiskThread) {
        self.root = root
        self.bucket = bucket
        self.region = region
        self.disk = disk
    }

    package func put(fileAt path: String, key: String) async throws -> StoredMedia {
        try await place(key) { temporary in
            if try Disk.link(path, to: temporary) { return }
            // Another file system: copied in pieces.
            let source = try DiskFile(path, .read)
            let target = try DiskFile(temporary, .create)
            var offset = 0
            while true {
                let bytes = try source.read(1 << 20, at: offset)
                if bytes.isEmpty { break }
                try target.write(bytes, at: offset)
                offset += bytes.count
            }
        }
    }

    package func put(_ bytes: [UInt8], key: String) async throws -> StoredMedia {
        try await place(key) { temporary in
            try DiskFile(temporary, .create).write(bytes, at: 0)
        }
    }

    private func place(_ key: String, _ fill: @escaping @Sendable (_ temporary: String) throws -> Void) async throws
        -> StoredMedia
    {
        let media = MediaReference(key: key, bucket: bucket, region: region)
        let path = try self.path(media)
        return try await disk.run {
            let folder = Disk.folder(of: path)
            let temporary = "\(folder)/\(Self.temporaryPrefix)\(path.dropFirst(folder.count + 1))"
            try Disk.makeFolder(folder)
            try Disk.remove(temporary)
            do {
                try fill(temporary)
                let file = try DiskFile(temporary, .update)
                try file.sync()
                let size = try file.size()
                try Disk.rename(temporary, to: path)
                // Two names of one file are left as they are by rename.
                try Disk.remove(temporary)
                try Disk.syncFolder(folder)
                return StoredMedia(media: media, sizeBytes: size)
            } catch {
                try? Disk.remove(temporary)
                throw error
            }
        }
    }

    package func size(of media: MediaReference) async throws -> Int {
        try await opened(media) { try $0.size() }
    }

    package func read(_ media: MediaReference, offset: Int, count: Int) async throws -> [UInt8] {
        try await opened(media) { try $0.read(count, at: offset) }
    }

    package func remove(_ media: MediaReference) async throws {
        let path = try self.path(media)
        try await disk.run { try Disk.remove(path) }
    }

    private func opened<Value: Sendable>(
        _ media: MediaReference, _ body: @escaping @Sendable (DiskFile) throws -> Value
    ) async throws -> Value {
        let path = try self.path(media)
        return try await disk.run {
            do {
                return try body(try DiskFile(path, .read))
            } catch let error as SystemError where error.code == ENOENT {
                throw MediaMissing()
            }
        }
    }

    /// A key that could leave its folder names nothing.
    private func path(_ media: MediaReference) throws -> String {
        let parts = (media.bucket + "/" + media.key).split(separator: "/", omittingEmptySubsequences: false)
        guard media.region == region, parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else {
            throw MediaMissing()
        }
        return "\(root)/\(media.bucket)/\(media.key)"
    }
}
