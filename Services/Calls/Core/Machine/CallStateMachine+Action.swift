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
        /// End the voicemail's stream: it hears that the caller hung up.
        case leaveVoicemail
        /// Give voicemail's description to the relay. The answer is `relayAnswered` or `relayFailed`.
        case answerToRelay
        /// Store what a successor needs to end the dialog. The answer is `dialogSaved`.
        case saveDialog
        /// 200 with the relay's description.
        case sendAnswer
        case sendBye(TerminationReason?)
        case deleteRelaySession
        /// Nothing more comes. What was asked to be stored may still be waiting.
        case finish
    }
}
