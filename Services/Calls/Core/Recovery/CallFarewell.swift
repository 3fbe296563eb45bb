package import SIP

/// Ends dialogs that another process had.
package protocol CallFarewell: Sendable {
    func end(_ dialog: DialogState, reason: SIPHeader)
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
}
