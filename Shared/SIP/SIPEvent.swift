/// What happens on the wire, in order. Events of one dialog come in the order of their messages.
public enum SIPEvent: Sendable {
    /// A new call; 100 Trying is out. Answer with ``SIPEndpoint/respond(to:_:)``.
    case invite(IncomingInvite)
    /// The caller cancelled: 200 went to the CANCEL and 487 to the INVITE. `reason` is the Reason header's text.
    case cancelled(SIPTransactionID, DialogID, reason: String?)
    /// The ACK for our 2xx to an INVITE, initial or re-INVITE; `body` holds an answer when the 2xx carried the offer.
    case acknowledged(SIPTransactionID, DialogID, body: SIPBody?)
    /// BYE: the dialog is forgotten. Answer it with ``SIPEndpoint/respond(to:_:)``; until then it comes again, which is not
    /// told.
    case ended(InDialogRequest)
    /// re-INVITE, UPDATE or INFO: answer it with ``SIPEndpoint/respond(to:_:)``.
    case request(InDialogRequest)
    /// An answer to an INVITE of ours that opens a dialog, provisional or final.
    case inviteResponse(InviteResponse)
    /// An INVITE of ours is about to be sent anew, with credentials or a longer session interval: this state takes the place
    /// of the one stored.
    case inviteChanged(InviteState)
    /// The answer to a request of ours in a dialog. A 2xx to our re-INVITE has been acknowledged.
    case response(ReceivedResponse)
    /// A server transaction failed: the dialog is still known, so that a BYE can be sent.
    case failed(SIPTransactionID, DialogID, TransactionFailure)
}
