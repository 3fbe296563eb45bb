import Domain
import SIP

/// What a call holds elsewhere: at the relay, at voicemail, at its two sides.
struct CallSession {
    let relay: RelaySession
    /// The caller's dialog as last seen.
    var dialog: DialogState
    /// Relay requests of one call go one after the other.
    var relaying: Task<Void, Never>?
    /// The relay may hold something for this call.
    var hasRelaySession = false
    /// What the caller said last about its media, what the relay makes of that for the answering side, what that side said
    /// last, and what the relay makes of that for the caller.
    var callerDescription: String?
    var offerToCallee: String?
    var calleeDescription: String?
    var answerToCaller: String?
    var voicemail: Task<Void, Never>?
    /// Runs out when voicemail has not answered by then.
    var voicemailPatience: Task<Void, Never>?
    var voicemailID: BellwireID?
    /// The beep is over.
    var isRecording = false
    /// The sides that wait for the answer, in the ACK, to what we offered in our 200.
    var awaitsAnswerInAcknowledgement: Set<CallSide> = []
    /// The sides that can be called, in the order of the call's fork.
    var legs: [CallLeg] = []
    /// Of trunks, by leg. Never stored.
    var credentials: [Int: SIPCredentials] = [:]
    /// What the relay counted last, and since when it has counted no more.
    var packets: UInt64 = 0
    var silentSince: Moment?
    /// One change of the media at a time.
    var isRenegotiating = false
    /// Of each side's dialog; none for one that wants none.
    var timers: [CallSide: SessionTimer] = [:]
    /// The sides that allow UPDATE and then refuse it.
    var refusesUpdate: Set<CallSide> = []
    /// Both sides are being told of another relay.
    var isMoving = false
    /// Requests of ours in dialogs that wait for their answers.
    var requests: [SIPTransactionID: CheckedContinuation<ReceivedResponse?, Never>] = [:]

    init(call: BellwireID, dialog: DialogState) {
        relay = RelaySession(call: call, callerTag: dialog.id.remoteTag, calleeTag: dialog.id.localTag)
        self.dialog = dialog
    }

    /// The leg of an INVITE of ours.
    func leg(_ invite: InviteID) -> Int? { legs.firstIndex { $0.invite?.id == invite } }

    /// Whether one side has asked the other to be silent.
    var isHeld: Bool {
        [callerDescription, calleeDescription].contains { $0.map(HeldMedia.isHeld) ?? false }
    }
}
