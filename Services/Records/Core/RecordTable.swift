import Bus
import Domain
import Store
import Wire

/// The entries of schema `records`, read and written under their rows' locks.
struct RecordTable {
    let transaction: Transaction

    /// Locks the row of a record id until the transaction ends, and makes it when it is missing.
    func lock(owner: BellwireID, id: BellwireID) async throws -> RecordEntry {
        try await transaction.execute(
            "INSERT INTO records.call_record (owner, id) VALUES (\(owner), \(id)) ON CONFLICT DO NOTHING")
        return try await lockIfPresent(owner: owner, id: id)
            ?? RecordEntry(owner: owner, id: id)
    }

    /// Locks the row of a record id until the transaction ends; nil when there is none.
    func lockIfPresent(owner: BellwireID, id: BellwireID) async throws -> RecordEntry? {
        let rows = try await transaction.query(
            "SELECT * FROM records.call_record WHERE owner = \(owner) AND id = \(id) FOR UPDATE")
        guard let row = rows.first else { return nil }
        let voicemails = try await transaction.query(
            """
            SELECT * FROM records.record_voicemail WHERE owner = \(owner) AND record_id = \(id) ORDER BY voicemail_id
            """)
        return try RecordEntry(row: row, voicemails: voicemails.map { try VoicemailReference(row: $0) })
    }

    /// Writes what has changed, and publishes the event when the owner can see a change.
    func save(_ entry: RecordEntry, over old: RecordEntry) async throws {
        guard entry != old else { return }
        if entry.isDeleted {
            try await erase(entry)
        } else {
            for voicemail in entry.voicemails where !old.voicemails.contains(voicemail) {
                try await save(voicemail, of: entry)
            }
            try await saveRow(of: entry)
        }
        guard entry.version > old.version else { return }
        var event = RecordsV1.CallRecordEvent()
        event.deleted = entry.isDeleted
        event.record = (entry.isDeleted ? old.record : entry.record)?.wire(version: entry.version)
        try await transaction.publish(
            EventDraft(
                topic: "records", key: entry.id.description, version: entry.version, owner: entry.owner.description,
                type: RecordsV1.CallRecordEvent.messageName, payload: event.wireBytes()))
    }

    private func saveRow(of entry: RecordEntry) async throws {
        guard let record = entry.record else {
            try await transaction.execute(
                """
                UPDATE records.call_record SET call_version = \(entry.callVersion)
                WHERE owner = \(entry.owner) AND id = \(entry.id)
                """)
            return
        }
        try await transaction.execute(
            """
            UPDATE records.call_record SET
                account_id = \(record.accountID), call_id = \(record.callID), sudo_owner = \(record.sudoOwner),
                phone_number_id = \(record.phoneNumberID), direction = \(record.direction), state = \(record.state),
                created = \(record.created), updated = \(record.updated),
                local_phone_number = \(record.localPhoneNumber),
                remote_phone_number = nullif(\(record.remotePhoneNumber)::text, ''),
                duration_seconds = \(record.durationSeconds), termination_reason = \(record.termination?.reason),
                termination_side = \(record.termination?.side), call_version = \(entry.callVersion),
                version = \(entry.version)
            WHERE owner = \(entry.owner) AND id = \(entry.id)
            """)
    }

    private func save(_ voicemail: VoicemailReference, of entry: RecordEntry) async throws {
        try await transaction.execute(
            """
            INSERT INTO records.record_voicemail
                (owner, record_id, voicemail_id, version, is_attached, duration_seconds, media_key, media_bucket,
                media_region, updated)
            VALUES (\(entry.owner), \(entry.id), \(voicemail.id), \(voicemail.version), \(voicemail.isAttached),
                \(voicemail.durationSeconds), \(voicemail.media.key), \(voicemail.media.bucket),
                \(voicemail.media.region), \(voicemail.updated))
            ON CONFLICT (owner, record_id, voicemail_id) DO UPDATE SET
                version = excluded.version, is_attached = excluded.is_attached,
                duration_seconds = excluded.duration_seconds, media_key = excluded.media_key,
                media_bucket = excluded.media_bucket, media_region = excluded.media_region, updated = excluded.updated
            """)
    }

    /// Forgets what the record said, and keeps that there was one.
    private func erase(_ entry: RecordEntry) async throws {
        try await transaction.execute(
            """
            UPDATE records.call_record SET
                deleted = now(), sudo_owner = NULL, phone_number_id = NULL, local_phone_number = NULL,
                remote_phone_number = NULL, duration_seconds = 0, termination_reason = NULL, termination_side = NULL,
                version = \(entry.version)
            WHERE owner = \(entry.owner) AND id = \(entry.id)
            """)
        try await transaction.execute(
            "DELETE FROM records.record_voicemail WHERE owner = \(entry.owner) AND record_id = \(entry.id)")
    }
}
