import Domain
import SIP

/// What a call holds elsewhere: at the relay, at voicemail, at the caller.
struct CallSession {
    let relay: RelaySession
    /// The caller's dialog as last seen.
    var dialog: DialogState
    /// Relay requests of one call go one after the other.
    var relaying: Task<Void, Never>?
    /// The relay may hold something for this call.
    var hasRelaySession = false
    /// What the relay says to the answering side.
    var offerToVoicemail: String?
    var voicemail: Task<Void, Never>?
    var voicemailID: BellwireID?
    /// What voicemail answered; given to the relay again when the caller offers anew.
    var voicemailAnswer: String?
    /// The beep is over.
    var isRecording = false
    /// What the caller was answered last.
    var answerToCaller: String?
    /// Our own offer in the answer to a request without one waits for the ACK.
    var awaitsAnswerInAcknowledgement = false

    init(call: BellwireID, dialog: DialogState) {
        relay = RelaySession(call: call, callerTag: dialog.id.remoteTag, calleeTag: dialog.id.localTag)
        self.dialog = dialog
    }
}
