package import Domain
import Store
package import Wire

extension VoicemailReference {
    /// A voicemail event, with the record that it is about. Nil when the voicemail is about no call of ours.
    ///
    /// A voicemail that names no record any more was detached from the callee's record of its call.
    package static func read(
        _ event: VoicemailV1.VoicemailEvent
    ) throws(MalformedEvent) -> (owner: BellwireID, recordID: BellwireID, voicemail: VoicemailReference)? {
        guard let wire = event.voicemail, let id = BellwireID(wire.id) else { throw .voicemailID }
        guard let owner = BellwireID(wire.owner) else { throw .userID }
        let named = wire.callRecordID.flatMap { BellwireID($0) }
        guard let recordID = named ?? BellwireID(wire.callID)?.callRecordID(of: .callee) else { return nil }
        let media = Media(
            key: wire.media?.key ?? "", bucket: wire.media?.bucket ?? "", region: wire.media?.region ?? "")
        guard let updated = wire.updated ?? wire.created else { throw .times }
        let voicemail = VoicemailReference(
            id: id, version: Int64(clamping: wire.version), isAttached: !event.deleted && named != nil,
            durationSeconds: wire.durationSeconds, media: media,
            updated: try StoreTime(checked: updated))
        return (owner, recordID, voicemail)
    }
}
