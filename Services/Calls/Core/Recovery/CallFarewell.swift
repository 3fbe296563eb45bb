package import SIP

/// Ends what another process had open with a caller.
package protocol CallFarewell: Sendable {
    func end(_ dialog: DialogState, reason: SIPHeader)

    /// Refuses an INVITE that still waits for its final response.
    /// - Parameter invite: the message as it came.
    func refuse(_ invite: [UInt8], of dialog: DialogState, _ refusal: SIPRefusal)
}

package struct SIPFarewell: CallFarewell {
    private let endpoint: SIPEndpoint

    package init(_ endpoint: SIPEndpoint) {
        self.endpoint = endpoint
    }

    package func end(_ dialog: DialogState, reason: SIPHeader) {
        let dialog = dialog.restored()
        endpoint.adopt(dialog)
        endpoint.sendBye(in: dialog.id, reason: reason)
    }

    package func refuse(_ invite: [UInt8], of dialog: DialogState, _ refusal: SIPRefusal) {
        endpoint.refuse(storedInvite: invite, of: dialog, SIPResponse(refusal.status, headers: refusal.headers))
    }
}
