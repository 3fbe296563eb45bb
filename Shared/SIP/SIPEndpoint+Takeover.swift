/// Going on with what another process had. These may be called before the start: they are done before the first message is
/// read, so that nothing of these calls is answered 481.
extension SIPEndpoint {
    /// Makes an answered dialog known that another process had: see ``DialogState/restored()``.
    /// - Parameter credentials: for challenges to our requests in it.
    public func adopt(_ dialog: DialogState, credentials: SIPCredentials? = nil) {
        post(early: true) { $0.adopt(dialog, credentials: credentials) }
    }

    /// Gives credentials to what was taken over without: an answered dialog, or an INVITE of ours.
    public func setCredentials(_ credentials: SIPCredentials, of invite: InviteID, in dialog: DialogID?) {
        post(early: true) {
            if let dialog { $0.dialogs[dialog]?.credentials = credentials }
            if let id = $0.inviteIDs[invite] { $0.invites[id]?.credentials = credentials }
        }
    }

    /// Goes on with an INVITE of the other side that another process left without a final answer. Repetitions, CANCEL and ACK
    /// of the caller are understood, and ``respond(to:_:)`` works as for a new one.
    ///
    /// ``SIPEvent/failed(_:_:_:)`` follows when that is not possible. Over TCP the answer goes out on a connection to the
    /// caller's Via address, since the caller's own ended with its process.
    /// - Parameter rawMessage: ``IncomingInvite/rawMessage``.
    public func resume(storedInvite rawMessage: [UInt8], of dialog: DialogState) -> SIPTransactionID {
        let id = nextID()
        post(early: true) { $0.resume(storedInvite: rawMessage, of: dialog, id: id) }
        return SIPTransactionID(value: id)
    }

    /// Goes on with an INVITE of ours that another process sent: its answers come, and ``cancel(_:reason:)`` works. Nothing is
    /// sent; when nobody answers, cancel it.
    ///
    /// An answer to a later attempt than the stored one is recognised. A CANCEL goes out at once, and the INVITE counts as
    /// answered 487 then.
    public func resume(_ invite: InviteState, credentials: SIPCredentials? = nil) {
        post(early: true) { $0.resume(invite, credentials: credentials) }
    }
}
