import Domain
import Store
import Wire
import WireFormat

/// A row of `voicemail.voicemail`.
struct StoredVoicemail: Sendable {
    static let columns: SQL = """
        owner, id, account_id, call_id, sudo_owner, phone_number_id, call_record_id, created, updated,
        local_phone_number, remote_phone_number, display_name, duration_seconds, size_bytes, media_key, media_bucket,
        media_region, version
        """

    let id: BellwireID
    let owner: BellwireID
    let created: StoreTime
    let media: MediaReference
    let version: Int64
    let wire: VoicemailV1.Voicemail

    init(row: Row) throws {
        id = try row.id("id")
        owner = try row.id("owner")
        created = try row.time("created")
        version = try row.int64("version")
        media = MediaReference(
            key: try row.string("media_key"), bucket: try row.string("media_bucket"),
            region: try row.string("media_region"))
        var wire = VoicemailV1.Voicemail()
        wire.id = id.description
        wire.owner = owner.description
        wire.sudoOwner = try row.optionalID("sudo_owner")?.description ?? ""
        wire.phoneNumberID = try row.optionalID("phone_number_id")?.description ?? ""
        wire.callRecordID = try row.optionalID("call_record_id")?.description
        wire.created = Timestamp(microsecondsSince1970: created.microseconds)
        wire.updated = Timestamp(microsecondsSince1970: try row.time("updated").microseconds)
        wire.localPhoneNumber = try row.string("local_phone_number")
        wire.remotePhoneNumber = try row.optionalString("remote_phone_number") ?? ""
        wire.displayName = try row.optionalString("display_name") ?? ""
        wire.durationSeconds = UInt32(clamping: try row.int64("duration_seconds"))
        wire.sizeBytes = UInt64(clamping: try row.int64("size_bytes"))
        wire.callID = try row.id("call_id").description
        wire.accountID = try row.id("account_id").description
        wire.version = UInt64(clamping: version)
        var object = VoicemailV1.MediaObject()
        object.key = media.key
        object.bucket = media.bucket
        object.region = media.region
        wire.media = object
        self.wire = wire
    }
}
