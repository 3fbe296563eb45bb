package import SIP

/// What a call hears from its sides, in the order in which it came.
package enum CallSignal: Sendable {
    case caller(CallerEvent)
    case callee(CalleeEvent)
    /// The answer to a request of ours in a dialog with either side.
    case response(ReceivedResponse)
    /// Not of a side: whoever asks hears that all before it was taken.
    case mark(CheckedContinuation<Void, Never>)

    /// Never dropped, however many wait.
    var endsCall: Bool {
        switch self {
        case .caller(.hungUp), .callee(.hungUp): true
        default: false
        }
    }
}

/// What the sides do that are called.
package enum CalleeEvent: Sendable {
    /// An answer to our INVITE.
    case answered(InviteResponse)
    /// Our INVITE goes out anew, with credentials.
    case changed(InviteState)
    /// The BYE is to be answered.
    case hungUp(DialogID, SIPTransactionID)
    /// re-INVITE, UPDATE or INFO.
    case request(InDialogRequest)
    /// The ACK for our 200 to a re-INVITE.
    case acknowledged(SIPBody?)
    /// No ACK came for it.
    case notAcknowledged
}
