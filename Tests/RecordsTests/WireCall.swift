import Domain
import Wire
import WireFormat

/// Calls as `calls` publishes them.
enum WireCall {
    static let start = Timestamp(seconds: 1_760_000_000, nanos: 123_456_000)

    /// From a telephone to a user.
    static func inbound(
        id: BellwireID = .make(), owner: String, number: String = "+447700900123", created: Timestamp = start
    ) -> CallsV1.Call {
        var call = CallsV1.Call()
        call.id = id.description
        call.accountID = BellwireID.make().description
        call.created = created
        call.callee = user(owner, number: number, record: id.callRecordID(of: .callee))
        var caller = CallsV1.Party()
        caller.number = "+12025550123"
        call.caller = caller
        return call.at(.authorized)
    }

    /// Between two users; no number was dialled.
    static func internalCall(from caller: String, to callee: String) -> CallsV1.Call {
        let id = BellwireID.make()
        var call = inbound(id: id, owner: callee, number: "client:bob")
        call.callee?.phoneNumberID = ""
        call.caller = user(caller, number: "client:alice", record: id.callRecordID(of: .caller))
        call.caller?.phoneNumberID = ""
        return call
    }

    static func user(_ id: String, number: String, record: BellwireID) -> CallsV1.Party {
        var party = CallsV1.Party()
        party.local = true
        party.accountID = BellwireID.make().description
        party.userID = id
        party.personaID = BellwireID.make().description
        party.phoneNumberID = BellwireID.make().description
        party.number = number
        party.recordID = record.description
        return party
    }

    static func voicemail(in call: CallsV1.Call, seconds: UInt32 = 5) -> VoicemailV1.Voicemail {
        var voicemail = VoicemailV1.Voicemail()
        voicemail.id = BellwireID.make().description
        voicemail.owner = call.callee?.userID ?? ""
        voicemail.callRecordID = call.callee?.recordID
        voicemail.callID = call.id
        voicemail.version = 1
        voicemail.durationSeconds = seconds
        voicemail.created = start
        voicemail.updated = start
        var media = VoicemailV1.MediaObject()
        media.key = "2025/a.wav"
        media.bucket = "voicemails"
        media.region = "local"
        voicemail.media = media
        return voicemail
    }
}

extension CallsV1.Call {
    /// The call's next version.
    func at(_ state: CallsV1.CallState, because reason: TerminationReason? = nil) -> CallsV1.Call {
        var next = self
        next.version += 1
        next.state = state
        next.updated = Timestamp(seconds: (created?.seconds ?? 0) + Int64(next.version), nanos: 0)
        if let reason {
            var termination = CallsV1.Termination()
            termination.reason = reason.rawValue
            termination.side = .server
            next.termination = termination
        }
        return next
    }
}
