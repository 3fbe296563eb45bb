import Foundation
import RPC
import Wire

/// Saves a voicemail's audio.
enum VoicemailDownload {
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
        else { throw CommandFailure("cannot write \(path)") }
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
            guard unsafe rename(temporary, path) == 0 else { throw CommandFailure("cannot write \(path)") }
            return size
        } catch {
            try? FileManager.default.removeItem(atPath: temporary)
            throw error
        }
    }
}

/// A command could not do its work for a reason of this machine: exit 1.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
