import CallsCore
import Domain
import SIP

/// Calls as they are stored.
enum SampleCall {
    static let account = BellwireID.make()
    static let user = BellwireID.make()
    static let start = Moment(microseconds: 1_700_000_000_123_456)

    static func facts(slot: Int = 7, withheld: Bool = false, account: BellwireID = account) -> CallFacts {
        CallFacts(
            id: .make(slot: slot),
            caller: CallerParty(
                number: withheld ? nil : "+12025550123", isWithheld: withheld, displayName: withheld ? nil : "Bøb"),
            callee: CalleeParty(
                user: LocalParty(
                    accountID: account.description, userID: user.description, identity: "alice", personaID: "",
                    phoneNumberID: ""),
                number: "+12025550100", minimumMessageSeconds: 1))
    }

    static func create(_ facts: CallFacts, created: Moment = start, dialog: DialogState = FakeLeg().dialog) -> CallWrite
    {
        var progress = CallProgress(created: created)
        progress.state = .authorized
        progress.version = 1
        return .create(
            facts,
            CallOrigin(
                invite: Array("INVITE \0".utf8), continuation: continuation(progress, dialog: dialog),
                instance: "calls-1", relay: "127.0.0.1:2223"),
            progress)
    }

    /// As of a call that rings until its ring time is over.
    static func continuation(_ progress: CallProgress, dialog: DialogState = FakeLeg().dialog) -> CallContinuation {
        let way = MachineDriver(after: progress.version == 1 ? Array(Way.message.prefix(1)) : Way.toRinging)
        return CallContinuation(machine: way.machine, dialog: dialog, callerDescription: SampleSDP.offer())
    }

    static func progress(_ version: UInt64, _ state: CallState = .ringing, created: Moment = start) -> CallProgress {
        var progress = CallProgress(created: created)
        progress.state = state
        progress.version = version
        progress.ringing = created + .seconds(1)
        progress.updated = created + .seconds(Int64(version))
        return progress
    }

    static func step(_ facts: CallFacts, _ version: UInt64) -> CallWrite {
        .advance(facts, progress(version), continuation(progress(version)), instance: "calls-1")
    }

    static func ended(_ facts: CallFacts, _ version: UInt64, _ reason: TerminationReason) -> CallWrite {
        var progress = progress(version, .unanswered)
        progress.termination = Termination(reason, by: .callee)
        progress.divertedToVoicemail = true
        progress.ended = progress.updated
        return .advance(facts, progress, continuation(progress), instance: "calls-1")
    }
}
