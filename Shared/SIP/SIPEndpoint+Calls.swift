/// Calls that we set up.
extension SIPEndpoint {
    /// Makes an INVITE ready: with its Call-ID, local tag, branch and CSeq. Nothing is sent; store the value, then give it to
    /// ``invite(_:credentials:)``. May be called before the start when the port is a fixed one.
    public func prepare(_ invite: OutgoingInvite) -> InviteState {
        var local = invite.from
        local.tag = SIPEndpoint.token()
        var remote = invite.to
        remote.tag = nil
        return InviteState(
            id: InviteID(callID: "\(SIPEndpoint.token())\(SIPEndpoint.token())", localTag: local.tag ?? ""),
            target: invite.target, local: local, remote: remote, cseq: 1, branchKey: SIPEndpoint.token(),
            localTarget: invite.contact ?? contact(over: invite.transport), routes: invite.routes,
            transport: invite.transport, headers: invite.headers, body: invite.body,
            acknowledgesManually: invite.acknowledgesManually,
            session: sessionTimers.map { SessionOffer(interval: $0.interval, minimum: $0.minimum) }, challenges: [])
    }

    /// Sends a prepared INVITE. Its answers come as ``SIPEvent/inviteResponse(_:)`` until the final one, which comes in any
    /// case: 408 after 64*T1 without any answer, 503 when it cannot be sent.
    ///
    /// A ring that nobody answers goes on until ``cancel(_:reason:)``. Of a fork the first 2xx is taken; another's is
    /// acknowledged and ended with BYE. A 2xx is acknowledged at once unless the state says otherwise. With credentials a 401
    /// or 407 is answered (RFC 2617), also for later requests in the dialog; a 422 is when session timers are on.
    public func invite(_ state: InviteState, credentials: SIPCredentials? = nil) {
        post { $0.invite(state, credentials: credentials) }
    }

    /// Gives up an INVITE: CANCEL is sent, or waits for the first provisional response (RFC 3261 section 9.1). The final
    /// response comes as ``SIPEvent/inviteResponse(_:)``, as a rule 487; a 2xx that crosses the CANCEL is ended with BYE here
    /// and reported as 487, too.
    /// - Parameter reason: a Reason header, e.g. 200 for "answered elsewhere".
    public func cancel(_ invite: InviteID, reason: SIPHeader? = nil) {
        post { $0.cancel(invite, reason: reason) }
    }

    /// Sends the ACK for a 2xx that waits for it, with our answer when the 2xx carried the offer. BYE sends one without body
    /// when it still waits.
    public func acknowledge(_ dialog: DialogID, body: SIPBody? = nil) {
        post { $0.acknowledge(dialog, body: body) }
    }

    /// Changes our Contact in a dialog from the next message on. In the handler of ``SIPEvent/invite(_:)`` it comes before the
    /// first response.
    public func setContact(_ contact: SIPURI, of dialog: DialogID) {
        post { $0.dialogs[dialog]?.state.localTarget = contact }
    }

    private static func token() -> String { String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 36) }
}
