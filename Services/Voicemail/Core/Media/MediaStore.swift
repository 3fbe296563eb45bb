/// Where finished audio is kept. Implementations: the file system now, an object store later.
package protocol MediaStore: Sendable {
    /// Takes a finished file in under a key, so that it survives a power cut; the same key again replaces it. The file itself
    /// stays where it is. Throws `SystemError` when there is no room.
    func put(fileAt path: String, key: String) async throws -> StoredMedia

    func put(_ bytes: [UInt8], key: String) async throws -> StoredMedia

    /// In bytes. Throws `MediaMissing`.
    func size(of media: MediaReference) async throws -> Int

    /// Up to `count` bytes from `offset` on; fewer at the end. Throws `MediaMissing`.
    func read(_ media: MediaReference, offset: Int, count: Int) async throws -> [UInt8]

    /// What is not there is no error.
    func remove(_ media: MediaReference) async throws
}

/// Names stored audio: the `MediaObject` of the protocols.
package struct MediaReference: Sendable, Hashable {
    package var key: String
    package var bucket: String
    package var region: String

    package init(key: String, bucket: String, region: String) {
        self.key = key
        self.bucket = bucket
        self.region = region
    }
}

package struct StoredMedia: Sendable, Equatable {
    package var media: MediaReference
    package var sizeBytes: Int
}

/// The store has no such audio.
package struct MediaMissing: Error, Sendable, Equatable {}
