package import Domain
import Store
package import Wire
import WireFormat

extension CallView {
    /// Nil when that side is no user of ours.
    ///
    /// - Throws: `MalformedEvent` when the call names no ids, or a state or reason that does not exist.
    package init?(_ call: CallsV1.Call, side: CallSide) throws(MalformedEvent) {
        guard let (local, remote) = CallView.parties(of: call, side: side) else { return nil }
        guard let callID = BellwireID(call.id) else { throw MalformedEvent.callID }
        guard let owner = BellwireID(local.userID) else { throw MalformedEvent.userID }
        guard let accountID = BellwireID(local.accountID.isEmpty ? call.accountID : local.accountID) else {
            throw MalformedEvent.accountID
        }
        guard let state = CallState(call.state) else { throw MalformedEvent.state }
        guard let created = call.created, let updated = call.updated else { throw MalformedEvent.times }
        self.init(
            side: side, callID: callID, accountID: accountID, owner: owner, sudoOwner: BellwireID(local.personaID),
            phoneNumberID: BellwireID(local.phoneNumberID), localPhoneNumber: local.number,
            remotePhoneNumber: remote.shown(to: local), state: state,
            termination: try Termination(wire: call.termination), version: Int64(clamping: call.version),
            created: try StoreTime(checked: created), updated: try StoreTime(checked: updated),
            answered: try call.answered.map { time throws(MalformedEvent) in try StoreTime(checked: time) },
            ended: try call.ended.map { time throws(MalformedEvent) in try StoreTime(checked: time) })
    }

    private static func parties(
        of call: CallsV1.Call, side: CallSide
    ) -> (local: CallsV1.Party, remote: CallsV1.Party)? {
        let local: CallsV1.Party?
        let remote: CallsV1.Party?
        switch side {
        case .caller: (local, remote) = (call.caller, call.callee)
        case .callee: (local, remote) = (call.callee, call.caller)
        case .server: return nil
        }
        guard let local, local.local else { return nil }
        return (local, remote ?? CallsV1.Party())
    }
}

extension CallsV1.Party {
    /// Users see each other by their names, whatever was dialled.
    fileprivate func shown(to other: CallsV1.Party) -> String {
        if withheld { return "" }
        return local && other.local && !identity.isEmpty ? "client:\(identity)" : number
    }
}

extension CallState {
    init?(_ wire: CallsV1.CallState) {
        switch wire {
        case .unknown: self = .unknown
        case .authorized: self = .authorized
        case .queued: self = .queued
        case .ringing: self = .ringing
        case .answered: self = .answered
        case .completed: self = .completed
        case .unanswered: self = .unanswered
        case .unrecognized: return nil
        }
    }
}

extension Termination {
    init?(wire: CallsV1.Termination?) throws(MalformedEvent) {
        guard let wire, !wire.reason.isEmpty else { return nil }
        guard let reason = TerminationReason(rawValue: wire.reason) else { throw MalformedEvent.reason }
        switch wire.side {
        case .caller: self.init(reason, by: .caller)
        case .callee: self.init(reason, by: .callee)
        default: self.init(reason, by: .server)
        }
    }
}

extension StoreTime {
    /// From 1970 to 9999; anything else is no time of a call.
    init(checked time: Timestamp) throws(MalformedEvent) {
        guard (0...253_402_300_799).contains(time.seconds), (0...999_999_999).contains(time.nanos) else {
            throw MalformedEvent.times
        }
        self.init(seconds: time.seconds, nanoseconds: time.nanos)
    }
}

extension Timestamp {
    init(_ time: StoreTime) {
        self.init(seconds: time.seconds, nanos: time.nanoseconds)
    }
}
