package import Domain
package import SIP

/// All that another process needs to go on with a call, beside what the call's row says: stored before anything of it is
/// promised to a peer.
package struct CallContinuation: Sendable, Codable {
    package var machine: CallStateMachine
    /// The caller's dialog.
    package var dialog: DialogState
    package var legs: [CallLeg]
    package var maxForwards: Int
    /// Descriptions: the caller's own as it was last, what the relay made of it, the answering side's own, and what the relay
    /// made of that.
    package var callerDescription: String?
    package var offerToCallee: String?
    package var calleeDescription: String?
    package var answerToCaller: String?
    package var voicemailID: BellwireID?
    /// The caller's INVITE was answered, or is about to be.
    package var isAnswered: Bool
    /// The relay that carries the call, and whether its sides are still being told of it.
    package var relay: String?
    package var isMoving: Bool?
    /// The caller has heard the beep.
    package var isRecording: Bool?
    /// Nil in what an older version stored.
    package var timers: [CallSide: SessionTimer]?

    package init(
        machine: CallStateMachine, dialog: DialogState, legs: [CallLeg] = [], maxForwards: Int = 70,
        callerDescription: String? = nil, offerToCallee: String? = nil, calleeDescription: String? = nil,
        answerToCaller: String? = nil, voicemailID: BellwireID? = nil, isAnswered: Bool = false,
        timers: [CallSide: SessionTimer]? = nil, relay: String? = nil, isMoving: Bool? = nil,
        isRecording: Bool? = nil
    ) {
        self.machine = machine
        self.dialog = dialog
        self.legs = legs
        self.maxForwards = maxForwards
        self.callerDescription = callerDescription
        self.offerToCallee = offerToCallee
        self.calleeDescription = calleeDescription
        self.answerToCaller = answerToCaller
        self.voicemailID = voicemailID
        self.isAnswered = isAnswered
        self.timers = timers
        self.relay = relay
        self.isMoving = isMoving
        self.isRecording = isRecording
    }
}
