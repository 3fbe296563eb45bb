import Bus
import Domain
import Store
import Wire
import WireFormat

/// The statements on voicemails and their recordings that belong in one transaction.
struct VoicemailTable: Sendable {
    static let topic = "voicemails"
    let transaction: Transaction

    /// Marks a recording as finished. False when it is already, or belongs to a later owner of its slot: then nothing more may
    /// be written for it.
    func finish(_ recording: LiveRecording, epoch: Int64) async throws -> Bool {
        try await transaction.execute(
            """
            INSERT INTO voicemail.recording (id, slot, epoch, instance, owner, call_id, started, finished)
            VALUES (\(recording.id), \(recording.slot), \(epoch), \(recording.instance), \(recording.owner),
                \(recording.callID), \(StoreTime(microseconds: recording.created)), now())
            ON CONFLICT (id) DO UPDATE SET finished = now(), epoch = EXCLUDED.epoch
            WHERE recording.finished IS NULL AND recording.epoch <= EXCLUDED.epoch
            """) == 1
    }

    /// The message that other recordings of a call have left; nil when there is none.
    static func message(of recording: LiveRecording, _ database: Database) async throws -> StoredVoicemail? {
        guard let recordID = recording.callRecordID else { return nil }
        return try await database.query(message(of: recording, recordID)).first.map(StoredVoicemail.init(row:))
    }

    private static func message(of recording: LiveRecording, _ recordID: String) -> SQL {
        """
        SELECT \(StoredVoicemail.columns) FROM voicemail.voicemail
        WHERE owner = \(recording.owner) AND call_record_id = \(recordID) ORDER BY id LIMIT 1
        """
    }

    /// Writes the voicemail and its event, or the longer one that it has become.
    ///
    /// Throws `MessageChanged` when the message is not the one that the part was put together with.
    func write(_ part: MessagePart, of recording: LiveRecording) async throws {
        var recordID = recording.callRecordID
        if let id = recordID {
            try await lock(recordID: id)
            let there = try await transaction.query(Self.message(of: recording, id)).first.map(
                StoredVoicemail.init(row:))
            if let earlier = part.earlier {
                guard there?.id == earlier.id, there?.version == earlier.version else { throw MessageChanged() }
                return try await extend(earlier, by: part)
            }
            let deleted = try await transaction.query(
                "SELECT 1 AS found FROM voicemail.deleted_record WHERE record_id = \(id)")
            if !deleted.isEmpty { recordID = nil }
        }
        try await insert(recording, recordID: recordID, part)
    }

    private func extend(_ voicemail: StoredVoicemail, by part: MessagePart) async throws {
        let rows = try await transaction.query(
            """
            UPDATE voicemail.voicemail SET duration_seconds = \(part.durationSeconds), size_bytes = \(part.stored.sizeBytes),
                media_key = \(part.stored.media.key), media_bucket = \(part.stored.media.bucket),
                media_region = \(part.stored.media.region), version = version + 1, updated = now()
            WHERE owner = \(voicemail.owner) AND id = \(voicemail.id) RETURNING \(StoredVoicemail.columns)
            """)
        try await release(voicemail.media)
        for row in rows { try await publish(try StoredVoicemail(row: row)) }
    }

    private func insert(_ recording: LiveRecording, recordID: String?, _ part: MessagePart) async throws {
        let stored = part.stored
        let remote = recording.remotePhoneNumber.isEmpty ? nil : recording.remotePhoneNumber
        let name = recording.displayName.isEmpty ? nil : recording.displayName
        let rows = try await transaction.query(
            """
            INSERT INTO voicemail.voicemail (owner, id, account_id, call_id, sudo_owner, phone_number_id, call_record_id,
                created, updated, local_phone_number, remote_phone_number, display_name, duration_seconds, size_bytes,
                media_key, media_bucket, media_region)
            VALUES (\(recording.owner), \(recording.id), \(recording.accountID), \(recording.callID),
                \(recording.sudoOwner), \(recording.phoneNumberID), \(recordID),
                \(StoreTime(microseconds: recording.created)), now(), \(recording.localPhoneNumber), \(remote), \(name),
                \(part.durationSeconds), \(stored.sizeBytes), \(stored.media.key), \(stored.media.bucket),
                \(stored.media.region))
            RETURNING \(StoredVoicemail.columns)
            """)
        for row in rows { try await publish(try StoredVoicemail(row: row)) }
    }

    /// The voicemail is gone, its audio is to go. Nil when the owner has none such.
    func delete(id: BellwireID, owner: BellwireID?) async throws -> StoredVoicemail? {
        let ofOwner: SQL = owner.map { "owner = \($0) AND" } ?? ""
        let rows = try await transaction.query(
            "DELETE FROM voicemail.voicemail WHERE \(ofOwner) id = \(id) RETURNING \(StoredVoicemail.columns)")
        guard let row = rows.first else { return nil }
        let voicemail = try StoredVoicemail(row: row)
        try await release(voicemail.media)
        try await publish(voicemail, deleted: true)
        return voicemail
    }

    /// A call record is gone: its voicemails stay, without its id.
    func forget(recordID: String, owner: String) async throws {
        try await lock(recordID: recordID)
        try await transaction.execute(
            "INSERT INTO voicemail.deleted_record (record_id) VALUES (\(recordID)) ON CONFLICT DO NOTHING")
        let rows = try await transaction.query(
            """
            UPDATE voicemail.voicemail SET call_record_id = NULL, version = version + 1, updated = now()
            WHERE owner = \(owner) AND call_record_id = \(recordID) RETURNING \(StoredVoicemail.columns)
            """)
        for row in rows { try await publish(try StoredVoicemail(row: row)) }
    }

    /// Notes audio that nothing names any more; it is removed after the commit, or by a later sweep.
    func release(_ media: MediaReference) async throws {
        try await transaction.execute(
            """
            INSERT INTO voicemail.released_media (media_bucket, media_key, media_region)
            VALUES (\(media.bucket), \(media.key), \(media.region)) ON CONFLICT DO NOTHING
            """)
    }

    /// Orders the deletion of a record against a message that is about to name it, until the transaction ends.
    private func lock(recordID: String) async throws {
        _ = try await transaction.query(
            "SELECT pg_advisory_xact_lock(hashtextextended(\("voicemail record " + recordID), 0))")
    }

    private func publish(_ voicemail: StoredVoicemail, deleted: Bool = false) async throws {
        var event = VoicemailV1.VoicemailEvent()
        event.voicemail = voicemail.wire
        event.deleted = deleted
        if deleted {
            event.voicemail?.version += 1
        }
        try await transaction.publish(
            EventDraft(
                topic: Self.topic, key: voicemail.id.description, version: voicemail.version + (deleted ? 1 : 0),
                owner: voicemail.owner.description, type: VoicemailV1.VoicemailEvent.messageName,
                payload: event.wireBytes()))
    }
}
