import Foundation
import Glibc
import RPC
import Runtime
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

    /// The file appears under its name only when it is complete.
    /// - Returns: its size in bytes.
    static func save(_ id: String, to path: String, _ connection: Connection) async throws -> Int {
        var request = VoicemailV1.DownloadRequest()
        request.id = id
        // The first chunk comes before a file is made: an unknown id leaves nothing behind.
        var chunks = connection.voicemails.download(request).makeAsyncIterator()
        var chunk = try await chunks.next()
        let wanted = chunk?.sizeBytes ?? 0

        let temporary = path + ".part"
        guard FileManager.default.createFile(atPath: temporary, contents: nil),
            let file = FileHandle(forWritingAtPath: temporary)
        else { throw cannotWrite(path) }
        do {
            var size = 0
            while let received = chunk {
                try file.write(contentsOf: Data(received.data))
                size += received.data.count
                chunk = try await chunks.next()
            }
            try file.close()
            guard UInt64(size) == wanted else {
                throw CommandFailure("the download ended after \(size) of \(wanted) bytes")
            }
            guard unsafe rename(temporary, path) == 0 else { throw cannotWrite(path) }
            return size
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error
        }
    }

    /// With the reason of the call that has just failed.
    private static func cannotWrite(_ path: String) -> CommandFailure {
        CommandFailure("cannot write \(path) (\(SystemError("write")))")
    }
}

/// A command could not do its work for a reason of this machine: exit 1.
package struct CommandFailure: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
