import Domain
import Store

extension RecordEntry {
    init(row: Row, voicemails: [VoicemailReference]) throws {
        let isDeleted = try row.optionalTime("deleted") != nil
        let shown = voicemails.filter(\.isAttached).max { $0.id < $1.id }
        let exists = try row.value("state", as: CallState.self) != .unknown
        self.init(
            owner: try row.id("owner"), id: try row.id("id"),
            record: exists && !isDeleted ? try CallRecord(row: row, voicemail: shown) : nil, isDeleted: isDeleted,
            callVersion: try row.int64("call_version"), version: try row.int64("version"), voicemails: voicemails)
    }
}

extension CallRecord {
    init(row: Row, voicemail: VoicemailReference?) throws {
        var termination: Termination?
        if try row.optionalString("termination_reason") != nil {
            termination = Termination(try row.value("termination_reason"), by: try row.value("termination_side"))
        }
        self.init(
            id: try row.id("id"), owner: try row.id("owner"), accountID: try row.id("account_id"),
            callID: try row.id("call_id"), sudoOwner: try row.optionalID("sudo_owner"),
            phoneNumberID: try row.optionalID("phone_number_id"), direction: try row.value("direction"),
            localPhoneNumber: try row.string("local_phone_number"),
            remotePhoneNumber: try row.optionalString("remote_phone_number") ?? "",
            created: try row.time("created"), updated: try row.time("updated"), state: try row.value("state"),
            durationSeconds: UInt32(clamping: try row.int64("duration_seconds")), termination: termination,
            voicemail: voicemail)
    }
}

extension VoicemailReference {
    /// - Parameter prefix: of the columns, where a join renamed them.
    init(row: Row, prefix: String = "") throws {
        self.init(
            id: try row.id("voicemail_id"), version: try row.int64(prefix + "version"),
            isAttached: try row.bool("is_attached"),
            durationSeconds: UInt32(clamping: try row.int64(prefix + "duration_seconds")),
            media: Media(
                key: try row.string("media_key"), bucket: try row.string("media_bucket"),
                region: try row.string("media_region")),
            updated: try row.time(prefix + "updated"))
    }
}
