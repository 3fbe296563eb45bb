/// A request within a dialog that the endpoint knows.
public struct InDialogRequest: Sendable {
    public var transaction: SIPTransactionID
    public var method: SIPMethod
    /// The dialog after this request: remote sequence number and, for re-INVITE and UPDATE, the new remote target, and the
    /// session timer that a 2xx agrees on.
    public var dialog: DialogState
    public var body: SIPBody?
    /// Text of the Reason header (RFC 3326) when there is one.
    public var reason: String?
    public var source: SIPPeer
}
