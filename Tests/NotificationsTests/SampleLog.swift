import Bus
import Domain
import Store
import Wire
import WireFormat

/// Events as they come from the log.
struct SampleLog {
    let incarnation = BellwireID.make()
    let alice = BellwireID.make().description
    let bob = BellwireID.make().description

    func record(owner: String) -> LoggedEvent {
        var event = RecordsV1.CallRecordEvent()
        var record = RecordsV1.CallRecord()
        record.id = BellwireID.make().description
        record.owner = owner
        event.record = record
        return self.event(
            "records", owner: owner, type: RecordsV1.CallRecordEvent.messageName, payload: event.wireBytes())
    }

    func voicemail(owner: String) -> LoggedEvent {
        var event = VoicemailV1.VoicemailEvent()
        var voicemail = VoicemailV1.Voicemail()
        voicemail.owner = owner
        event.voicemail = voicemail
        return self.event(
            "voicemails", owner: owner, type: VoicemailV1.VoicemailEvent.messageName, payload: event.wireBytes())
    }

    func call(caller: String, callee: String) -> LoggedEvent {
        var call = CallsV1.Call()
        call.caller = party(caller)
        call.callee = party(callee)
        var event = CallsV1.CallEvent()
        event.call = call
        return self.event("calls", owner: "", type: CallsV1.CallEvent.messageName, payload: event.wireBytes())
    }

    func event(_ topic: String, owner: String, type: String, payload: [UInt8]) -> LoggedEvent {
        LoggedEvent(
            incarnation: incarnation, position: 7, topic: topic, key: BellwireID.make().description, version: 2,
            owner: owner, type: type, payload: payload, created: StoreTime(microseconds: 1_760_000_000_500_000))
    }

    private func party(_ user: String) -> CallsV1.Party {
        var party = CallsV1.Party()
        party.local = true
        party.userID = user
        return party
    }
}
