package import SIP

/// What calls ask of the SIP endpoint; see there.
package protocol SIPCalls: Sendable {
    func prepare(_ invite: OutgoingInvite) -> InviteState
    func invite(_ state: InviteState, credentials: SIPCredentials?)
    func cancel(_ invite: InviteID, reason: SIPHeader?)
    func acknowledge(_ dialog: DialogID, body: SIPBody?)
    func send(_ request: OutgoingRequest, in dialog: DialogID) -> SIPTransactionID
    func respond(to transaction: SIPTransactionID, _ response: SIPResponse)
    func adopt(_ dialog: DialogState, credentials: SIPCredentials?)
    func setCredentials(_ credentials: SIPCredentials, of invite: InviteID, in dialog: DialogID?)
    func resume(_ invite: InviteState, credentials: SIPCredentials?)
}

extension SIPEndpoint: SIPCalls {}
