import Domain
package import Wire
import WireFormat

extension CallsV1.Call {
    /// - Parameter instance: who owns the call; left out of one that has ended.
    init(_ facts: CallFacts, _ progress: CallProgress, instance: String) {
        self.init()
        id = facts.id.description
        accountID = facts.accountID
        state = CallsV1.CallState(progress.state)
        caller = CallsV1.Party(facts.caller, of: facts.id)
        callee = CallsV1.Party(facts.callee, of: facts.id)
        termination = progress.termination.map(CallsV1.Termination.init)
        divertedToVoicemail = progress.divertedToVoicemail
        version = progress.version
        created = Timestamp(progress.created)
        updated = Timestamp(progress.updated)
        ringing = progress.ringing.map(Timestamp.init)
        answered = progress.answered.map(Timestamp.init)
        ended = progress.ended.map(Timestamp.init)
        self.instance = progress.ended == nil ? instance : ""
    }

    package init(_ call: StoredCall) {
        self.init(call.facts, call.progress, instance: call.instance)
    }
}

extension CallsV1.Party {
    init(_ caller: CallerParty, of call: BellwireID) {
        self.init()
        if let user = caller.user { set(user, record: call.callRecordID(of: .caller)) }
        number = caller.number ?? ""
        withheld = caller.isWithheld
        displayName = caller.displayName ?? ""
    }

    init(_ callee: CalleeParty, of call: BellwireID) {
        self.init()
        if let user = callee.user { set(user, record: call.callRecordID(of: .callee)) }
        number = callee.number
    }

    private mutating func set(_ user: LocalParty, record: BellwireID) {
        local = true
        accountID = user.accountID
        userID = user.userID
        identity = user.identity
        personaID = user.personaID
        phoneNumberID = user.phoneNumberID
        recordID = record.description
    }
}

extension CallsV1.Termination {
    init(_ termination: Termination) {
        self.init()
        reason = termination.reason.rawValue
        switch termination.side {
        case .caller: side = .caller
        case .callee: side = .callee
        case .server: side = .server
        }
    }
}

extension CallsV1.CallState {
    init(_ state: CallState) {
        switch state {
        case .unknown: self = .unknown
        case .authorized: self = .authorized
        case .queued: self = .queued
        case .ringing: self = .ringing
        case .answered: self = .answered
        case .completed: self = .completed
        case .unanswered: self = .unanswered
        }
    }
}

extension Timestamp {
    init(_ moment: Moment) {
        self.init(microsecondsSince1970: moment.microseconds)
    }
}
