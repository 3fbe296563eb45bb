import Glibc
import RPC
import Wire

/// Saves a voicemail's audio.
enum VoicemailDownload {
    /// Writes the audio to standard output.
    static func write(_ id: String, _ connection: Connection) async throws {
        var request = VoicemailV1.DownloadRequest()
        request.id = id
        var wanted: UInt64?
        var size: UInt64 = 0
        for try await chunk in connection.voicemails.download(request) {
            wanted = wanted ?? chunk.sizeBytes
            size += UInt64(chunk.data.count)
            try StandardStreams.write(chunk.data, to: STDOUT_FILENO)
        }
        guard size == wanted else { throw CommandFailure("the download ended after \(size) of \(wanted ?? 0) bytes") }
    }

    /// - Returns: its size in bytes.
    static func save(_ id: String, to path: String, _ connection: Connection) async throws -> Int {
        var request = VoicemailV1.DownloadRequest()
        request.id = id
        // The first chunk comes before a file is made: an unknown id leaves nothing behind.
        var chunks = connection.voicemails.download(request).makeAsyncIterator()
        var chunk = try await chunks.next()
        let wanted = chunk?.sizeBytes ?? 0

        var file = try OutputFile(path)
        var size = 0
        while let received = chunk {
            try file.write(received.data)
            size += received.data.count
            chunk = try await chunks.next()
        }
        guard UInt64(size) == wanted else {
            throw CommandFailure("the download ended after \(size) of \(wanted) bytes")
        }
        try file.complete()
        return size
    }
}

/// A command could not do its work for a reason of this machine: exit 1.
package struct CommandFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
