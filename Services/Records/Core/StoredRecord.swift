import Domain
import Store

/// A record as it is read without a lock, with its version.
struct StoredRecord: Sendable {
    let record: CallRecord
    let version: Int64

    /// Records with the newest of their voicemails, to be followed by a WHERE about `r`.
    static let select: SQL = """
        SELECT r.*, v.voicemail_id, v.version AS voicemail_version, v.is_attached,
            v.duration_seconds AS voicemail_duration_seconds, v.media_key, v.media_bucket, v.media_region,
            v.updated AS voicemail_updated
        FROM records.call_record r
        LEFT JOIN LATERAL (
            SELECT * FROM records.record_voicemail v
            WHERE v.owner = r.owner AND v.record_id = r.id AND v.is_attached ORDER BY v.voicemail_id DESC LIMIT 1
        ) v ON true
        """

    init(row: Row) throws {
        let hasVoicemail = try row.optionalID("voicemail_id") != nil
        record = try CallRecord(
            row: row, voicemail: hasVoicemail ? VoicemailReference(row: row, prefix: "voicemail_") : nil)
        version = try row.int64("version")
    }
}
