import FoundationEssentials
package import Media
import Runtime

/// A recording on disk while it is not finished: `recording.json` and `audio.wav`, which grows.
///
/// The audio file is locked as long as this value lives, also against other processes: who gets the lock knows that whoever
/// recorded is gone. All calls block: for a disk thread, one at a time.
package final class LiveFolder: Sendable {
    package let recording: LiveRecording
    let path: String
    private let audio: DiskFile

    private static let descriptionName = "recording.json"
    private static let audioName = "audio.wav"

    var audioPath: String { "\(path)/\(Self.audioName)" }
    private var format: WAVFormat { WAVFormat(sampleRate: recording.sampleRate) }

    /// Begins a recording in a folder of its own under `root`. The description comes first: audio without it is of no use.
    package init(beginning recording: LiveRecording, root: String) throws {
        self.recording = recording
        path = "\(root)/\(recording.id)"
        try Disk.makeFolder(path)
        do {
            try Disk.write(Array(JSONEncoder().encode(recording)), to: "\(path)/\(Self.descriptionName)")
            audio = try DiskFile("\(path)/\(Self.audioName)", .create)
            _ = audio.tryLock()
            try audio.write(WAVFormat(sampleRate: recording.sampleRate).header(dataBytes: 0), at: 0)
            try Disk.syncFolder(root)
        } catch {
            try? Disk.removeFolder("\(root)/\(recording.id)")
            throw error
        }
    }

    /// Opens what a process left behind; nil while it is still being recorded or when it never began.
    package init?(leftAt path: String) throws {
        self.path = path
        guard Disk.exists("\(path)/\(Self.audioName)") else { return nil }
        audio = try DiskFile("\(path)/\(Self.audioName)", .update)
        guard audio.tryLock(), Disk.exists("\(path)/\(Self.audioName)") else { return nil }
        let description = try Disk.read("\(path)/\(Self.descriptionName)")
        recording = try JSONDecoder().decode(LiveRecording.self, from: Data(description))
    }

    /// Appends what the ring holds.
    package func append(from ring: SampleRing) throws {
        var bytes: [UInt8] = []
        while ring.read(into: &bytes) {
            try audio.write(bytes, at: max(WAVFormat.headerBytes, try audio.size()))
            bytes.removeAll(keepingCapacity: true)
        }
    }

    /// Whole samples that are there.
    package func sampleCount() throws -> Int {
        max(0, try audio.size() - WAVFormat.headerBytes) / 2
    }

    /// Completes the header, so that any player opens the file, and makes it lasting.
    package func complete() throws {
        let dataBytes = try sampleCount() * 2
        // Half a sample of a write that was cut off.
        if try audio.size() > WAVFormat.headerBytes + dataBytes {
            try audio.truncate(to: WAVFormat.headerBytes + dataBytes)
        }
        try audio.write(format.header(dataBytes: dataBytes), at: 0)
        try audio.sync()
    }

    /// Removes the folder: the recording is finished, or not wanted.
    package func discard() throws {
        try Disk.removeFolder(path)
    }
}
