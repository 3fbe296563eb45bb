import Domain
import Foundation
package import Media
import RPC
package import Store
import Wire
import WireFormat

/// What callers hear before the beep: a user's own greeting, or the default one.
package struct Greetings: Sendable {
    package static let maximumDuration = Duration.seconds(60)
    /// Own greetings are kept at this rate, in Hz.
    static let storedRate = 16_000
    static let beepHertz = 1_000.0
    static let beepDuration = Duration.milliseconds(500)
    /// A caller does not wait longer than this for a user's own greeting; the default one is played instead.
    static let patience = Duration.seconds(2)
    /// The same when it is known where the greeting was last.
    static let shortPatience = Duration.milliseconds(500)

    private let database: Database
    private let store: any MediaStore
    private let released: ReleasedMedia
    private let disk: DiskThread
    private let standard: WAVAudio
    private let cache = GreetingCache()

    /// Throws when the default greeting that belongs to the service is missing or broken.
    package init(database: Database, store: any MediaStore, disk: DiskThread) throws {
        self.database = database
        self.store = store
        self.disk = disk
        released = ReleasedMedia(database: database, store: store)
        guard let url = Bundle.module.url(forResource: "greeting", withExtension: "wav", subdirectory: "Resources")
        else {
            throw WAVError.notWAV
        }
        standard = try WAVAudio(parsing: [UInt8](try Data(contentsOf: url)))
    }

    /// Greeting and beep at a sample rate. While the database is away it is the greeting that was last seen here.
    package func prompt(owner: String, sampleRate: Int) async -> [Int16] {
        let greeting = await own(owner) ?? standard
        let speech = (try? await disk.run { greeting.converted(to: sampleRate).samples }) ?? []
        return speech + Self.beep(sampleRate: sampleRate)
    }

    /// For a caller who has heard the greeting.
    static func beep(sampleRate: Int) -> [Int16] {
        Tone.sine(hertz: beepHertz, duration: beepDuration, sampleRate: sampleRate)
    }

    private func own(_ owner: String) async -> WAVAudio? {
        let known = cache.media(of: owner)
        var media = known
        do {
            let patience = known == nil ? Self.patience : Self.shortPatience
            media = try await withTimeLimit(patience) { try await self.reference(owner) }
            cache.note(media, of: owner)
        } catch {
            // The database is away: what was known stands.
        }
        guard let media else { return nil }
        return try? await withTimeLimit(Self.patience) {
            let size = try await store.size(of: media)
            return try WAVAudio(parsing: try await store.read(media, offset: 0, count: size))
        }
    }

    private func reference(_ owner: String) async throws -> MediaReference? {
        let rows = try await database.query(
            "SELECT media_key, media_bucket, media_region FROM voicemail.greeting WHERE owner = \(owner)")
        guard let row = rows.first else { return nil }
        return MediaReference(
            key: try row.string("media_key"), bucket: try row.string("media_bucket"),
            region: try row.string("media_region"))
    }

    /// Keeps a user's greeting. Throws `invalidArgument` when it is no WAV of at most a minute.
    func set(owner: BellwireID, wav: [UInt8]) async throws -> VoicemailV1.Greeting {
        let audio = try await disk.run { try Self.converted(wav) }
        let stored = try await store.put(audio.bytes, key: "greetings/\(BellwireID.make()).wav")
        let milliseconds = Int(audio.duration / .milliseconds(1))
        let media = stored.media
        let previous = try await database.transaction { transaction in
            let previous = try await Self.release(owner: owner, transaction)
            try await transaction.execute(
                """
                INSERT INTO voicemail.greeting
                    (owner, duration_milliseconds, updated, media_key, media_bucket, media_region)
                VALUES (\(owner), \(milliseconds), now(), \(media.key), \(media.bucket), \(media.region))
                ON CONFLICT (owner) DO UPDATE SET duration_milliseconds = EXCLUDED.duration_milliseconds,
                    updated = EXCLUDED.updated, media_key = EXCLUDED.media_key, media_bucket = EXCLUDED.media_bucket,
                    media_region = EXCLUDED.media_region
                """)
            return previous
        }
        cache.note(media, of: owner.description)
        if let previous { try? await released.remove(previous) }
        return try await get(owner: owner)
    }

    func get(owner: BellwireID) async throws -> VoicemailV1.Greeting {
        var greeting = VoicemailV1.Greeting()
        greeting.owner = owner.description
        let rows = try await database.query(
            "SELECT duration_milliseconds, updated FROM voicemail.greeting WHERE owner = \(owner)")
        if let row = rows.first {
            greeting.custom = true
            greeting.durationMilliseconds = UInt32(clamping: try row.int64("duration_milliseconds"))
            greeting.updated = Timestamp(microsecondsSince1970: try row.time("updated").microseconds)
        } else {
            greeting.durationMilliseconds = UInt32(clamping: Int(standard.duration / .milliseconds(1)))
        }
        return greeting
    }

    func clear(owner: BellwireID) async throws -> VoicemailV1.Greeting {
        let previous = try await database.transaction { transaction in
            let previous = try await Self.release(owner: owner, transaction)
            try await transaction.execute("DELETE FROM voicemail.greeting WHERE owner = \(owner)")
            return previous
        }
        cache.note(nil, of: owner.description)
        if let previous { try? await released.remove(previous) }
        return try await get(owner: owner)
    }

    private static func release(owner: BellwireID, _ transaction: Transaction) async throws -> MediaReference? {
        let rows = try await transaction.query(
            """
            SELECT media_key, media_bucket, media_region FROM voicemail.greeting WHERE owner = \(owner) FOR UPDATE
            """)
        guard let row = rows.first else { return nil }
        let media = MediaReference(
            key: try row.string("media_key"), bucket: try row.string("media_bucket"),
            region: try row.string("media_region"))
        try await VoicemailTable(transaction: transaction).release(media)
        return media
    }

    package static func converted(_ wav: [UInt8]) throws -> WAVAudio {
        let audio: WAVAudio
        do {
            audio = try WAVAudio(parsing: wav)
        } catch {
            throw RPCError(.invalidArgument, "wav: not a WAV of 16-bit PCM with one or two channels at 8 to 48 kHz")
        }
        guard audio.duration > .zero, audio.duration <= maximumDuration else {
            throw RPCError(.invalidArgument, "wav: must have some audio, and 60 s at most")
        }
        return audio.converted(to: storedRate)
    }
}

/// The result of `body`, or `CancellationError` when it takes too long.
func withTimeLimit<Value: Sendable>(
    _ limit: Duration, _ body: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: limit)
            return nil
        }
        defer { group.cancelAll() }
        guard let value = try await group.next() ?? nil else { throw CancellationError() }
        return value
    }
}
