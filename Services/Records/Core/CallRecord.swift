package import Domain
package import Store

/// What one local party of a call has in its list of calls.
package struct CallRecord: Sendable, Equatable {
    package let id: BellwireID
    /// The user it belongs to.
    package let owner: BellwireID
    package let accountID: BellwireID
    package let callID: BellwireID
    /// The persona.
    package let sudoOwner: BellwireID?
    /// Nil unless a number was dialled.
    package let phoneNumberID: BellwireID?
    package let direction: CallDirection
    /// E.164 or `client:<identity>`.
    package let localPhoneNumber: String
    /// Empty when withheld.
    package let remotePhoneNumber: String
    package let created: StoreTime
    package var updated: StoreTime
    package var state: CallState
    /// Talk time: answer to end, nearest second.
    package var durationSeconds: UInt32
    /// Nil while the call lives.
    package var termination: Termination?
    package var voicemail: VoicemailReference?

    package init(
        id: BellwireID, owner: BellwireID, accountID: BellwireID, callID: BellwireID, sudoOwner: BellwireID?,
        phoneNumberID: BellwireID?, direction: CallDirection, localPhoneNumber: String, remotePhoneNumber: String,
        created: StoreTime, updated: StoreTime, state: CallState, durationSeconds: UInt32 = 0,
        termination: Termination? = nil, voicemail: VoicemailReference? = nil
    ) {
        self.id = id
        self.owner = owner
        self.accountID = accountID
        self.callID = callID
        self.sudoOwner = sudoOwner
        self.phoneNumberID = phoneNumberID
        self.direction = direction
        self.localPhoneNumber = localPhoneNumber
        self.remotePhoneNumber = remotePhoneNumber
        self.created = created
        self.updated = updated
        self.state = state
        self.durationSeconds = durationSeconds
        self.termination = termination
        self.voicemail = voicemail
    }
}
