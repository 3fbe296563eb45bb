package import SIP

/// What a caller is told when the call is refused or ended.
package struct SIPRefusal: Hashable, Sendable {
    package var status: Int
    package var headers: [SIPHeader]

    package init(_ status: Int, headers: [SIPHeader] = []) {
        self.status = status
        self.headers = headers
    }
}

/// The caller's side of a call, as the call sees it. What comes too late is ignored by the leg.
package protocol CallerLeg: Sendable {
    /// The dialog as the INVITE made it.
    var dialog: DialogState { get }

    /// 180 with a To tag.
    func ring()
    /// 183 with a description: what the far side lets the caller hear before it answers.
    func progress(_ sdp: String)
    func reject(_ refusal: SIPRefusal)
    /// 200 with a description.
    func answer(_ sdp: String)
    /// The answer is an event of the endpoint.
    func bye(reason: SIPHeader?) -> SIPTransactionID
    /// Answers a request in the dialog.
    func respond(to request: SIPTransactionID, _ response: SIPResponse)
}

/// A caller on our SIP endpoint.
package struct SIPCallerLeg: CallerLeg {
    private let endpoint: SIPEndpoint
    private let transaction: SIPTransactionID?
    package let dialog: DialogState

    package init(_ invite: IncomingInvite, on endpoint: SIPEndpoint) {
        self.init(invite.transaction, of: invite.dialog, on: endpoint)
    }

    /// - Parameter transaction: the INVITE's; nil when nothing of it is open.
    package init(_ transaction: SIPTransactionID?, of dialog: DialogState, on endpoint: SIPEndpoint) {
        self.endpoint = endpoint
        self.transaction = transaction
        self.dialog = dialog
    }

    package func ring() {
        respond(SIPResponse(180))
    }

    package func progress(_ sdp: String) {
        respond(SIPResponse(183, body: .sdp(sdp)))
    }

    package func reject(_ refusal: SIPRefusal) {
        respond(SIPResponse(refusal.status, headers: refusal.headers))
    }

    package func answer(_ sdp: String) {
        respond(SIPResponse(200, body: .sdp(sdp)))
    }

    package func bye(reason: SIPHeader?) -> SIPTransactionID {
        endpoint.sendBye(in: dialog.id, reason: reason)
    }

    private func respond(_ response: SIPResponse) {
        if let transaction { endpoint.respond(to: transaction, response) }
    }

    package func respond(to request: SIPTransactionID, _ response: SIPResponse) {
        endpoint.respond(to: request, response)
    }
}
