import Media
import Runtime
import Store

/// What a recording adds to the message of its call: all of it, or a part where another recording of the call has become a
/// message already.
struct MessagePart: Sendable {
    /// The message that it is a part of, as it was when the audio was put together.
    let earlier: StoredVoicemail?
    /// The whole message.
    let stored: StoredMedia
    let durationSeconds: Int

    /// Puts the audio into the store: its own, or that of all parts, in the order in which they began.
    init(
        _ folder: LiveFolder, of recording: LiveRecording, samples: Int, _ database: Database, _ store: any MediaStore,
        _ disk: DiskThread
    ) async throws {
        try await disk.run { try folder.complete() }
        if let known = try await VoicemailTable.message(of: recording, database),
            let audio = try await MessagePart.read(known, from: store)
        {
            let isLast = known.created.microseconds <= recording.created
            let joined = try await disk.run {
                let own = try WAVAudio(parsing: try Disk.read(folder.audioPath)).samples
                let others = audio.converted(to: recording.sampleRate).samples
                return WAVAudio(
                    format: WAVFormat(sampleRate: recording.sampleRate), samples: isLast ? others + own : own + others)
            }
            earlier = known
            stored = try await store.put(joined.bytes, key: recording.mediaKey)
            durationSeconds = MessagePart.seconds(joined.samples.count, recording.sampleRate)
        } else {
            earlier = nil
            stored = try await store.put(fileAt: folder.audioPath, key: recording.mediaKey)
            durationSeconds = MessagePart.seconds(samples, recording.sampleRate)
        }
    }

    private static func seconds(_ samples: Int, _ rate: Int) -> Int { max(1, (samples + rate / 2) / rate) }

    /// Nil when the audio is gone.
    private static func read(_ voicemail: StoredVoicemail, from store: any MediaStore) async throws -> WAVAudio? {
        do {
            let size = try await store.size(of: voicemail.media)
            return try WAVAudio(parsing: try await store.read(voicemail.media, offset: 0, count: size))
        } catch is MediaMissing {
            return nil
        } catch is WAVError {
            return nil
        }
    }
}

/// Another part of the message was written meanwhile: this one is put together anew.
struct MessageChanged: Error {}
