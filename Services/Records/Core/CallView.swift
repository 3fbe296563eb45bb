package import Domain
package import Store

/// A call at one of its versions, as one local party sees it.
package struct CallView: Sendable, Equatable {
    package let side: CallSide
    package let callID: BellwireID
    package let accountID: BellwireID
    package let owner: BellwireID
    package let sudoOwner: BellwireID?
    package let phoneNumberID: BellwireID?
    package let localPhoneNumber: String
    package let remotePhoneNumber: String
    package let state: CallState
    package let termination: Termination?
    package let version: Int64
    package let created: StoreTime
    package let updated: StoreTime
    package let answered: StoreTime?
    package let ended: StoreTime?

    package init(
        side: CallSide, callID: BellwireID, accountID: BellwireID, owner: BellwireID, sudoOwner: BellwireID?,
        phoneNumberID: BellwireID?, localPhoneNumber: String, remotePhoneNumber: String, state: CallState,
        termination: Termination?, version: Int64, created: StoreTime, updated: StoreTime, answered: StoreTime?,
        ended: StoreTime?
    ) {
        self.side = side
        self.callID = callID
        self.accountID = accountID
        self.owner = owner
        self.sudoOwner = sudoOwner
        self.phoneNumberID = phoneNumberID
        self.localPhoneNumber = localPhoneNumber
        self.remotePhoneNumber = remotePhoneNumber
        self.state = state
        self.termination = termination
        self.version = version
        self.created = created
        self.updated = updated
        self.answered = answered
        self.ended = ended
    }

    package var recordID: BellwireID { callID.callRecordID(of: side) }

    package var direction: CallDirection { side == .caller ? .outbound : .inbound }

    /// False for a call that was refused before it began: the caller hears why, nobody gets a record.
    package var leavesRecord: Bool {
        guard state != .unknown else { return false }
        return termination?.reason.record != RecordOutcome.none
    }

    /// Answer to end, to the nearest second; ring time is never in it. 0 for a call that was not answered.
    package var talkSeconds: UInt32 {
        guard let answered else { return 0 }
        let microseconds = (ended ?? updated).microseconds - answered.microseconds
        return UInt32(clamping: (max(0, microseconds) + 500_000) / 1_000_000)
    }
}
