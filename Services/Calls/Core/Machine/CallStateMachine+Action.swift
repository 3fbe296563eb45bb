package import Domain

extension CallStateMachine {
    package enum Action: Hashable, Sendable {
        /// Store this version and publish it. The answer is `stored` with its version.
        case store(CallProgress)
        /// Ask which devices to ring. The answer is `devicesKnown`.
        case findDevices
        /// 180 with a To tag.
        case sendRinging
        case startRingTimer(Duration)
        case cancelRingTimer
        /// A final response that is no success. The reason goes into the Reason header.
        case reject(status: Int, TerminationReason)
        /// Give the caller's description to the relay. The answer is `relayOffered` or `relayFailed`.
        case offerToRelay
        /// Ask voicemail to take the call. The answer is `voicemailAnswered` or `voicemailLost`.
        case takeCall
        /// Ask it again, for as long as the caller may be left in silence: whoever recorded is gone.
        case retakeCall
        /// End the voicemail's stream: it hears that the caller hung up.
        case leaveVoicemail
        /// Give voicemail's description to the relay. The answer is `relayAnswered` or `relayFailed`.
        case answerToRelay
        /// Store what a successor needs to end the dialog. The answer is `dialogSaved`.
        case saveDialog
        /// Store what changed for a successor; nobody waits for it.
        case keep
        /// 200 with the relay's description.
        case sendAnswer
        case sendBye(TerminationReason?)
        case deleteRelaySession
        /// Tell both sides of the relay that carries the call from now on. The answer is `relayFailed` when that fails.
        case moveToAnotherRelay
        /// Tell the caller of it; the answering side knows. The answer is `relayFailed` when that fails.
        case moveCaller
        /// Make these legs' INVITEs and store them. The answer is `legsStored`, or `legFailed` for each that cannot be made.
        case prepareLegs([Int])
        case inviteLegs([Int])
        case cancelLegs([Int], TerminationReason)
        /// Give what a leg said before its answer to the relay. The answer is `earlyMediaReady`; a failure is none.
        case joinEarly(Int)
        /// 183 with the relay's description.
        case sendEarlyMedia
        /// Give the answer of the leg to the relay. The answer is `relayAnswered` or `relayFailed`.
        case joinLeg(Int)
        /// ACK to the leg that answered first.
        case acknowledgeLeg(Int)
        /// ACK and BYE to a leg whose answer is of no use.
        case dismissLeg(Int, TerminationReason)
        /// BYE to the side that answered.
        case hangUpLeg(Int, TerminationReason?)
        /// Nothing more comes. What was asked to be stored may still be waiting.
        case finish
    }
}
