/// The answer to a request that we sent.
public struct ReceivedResponse: Sendable {
    public var transaction: SIPTransactionID
    public var method: SIPMethod
    /// 100...699; 408 when nobody answered, 481 when the dialog was gone before sending and 503 when the request could not
    /// be sent (RFC 3261 section 8.1.3.1).
    public var status: Int
    /// False when the status was made up here.
    public var isFromPeer: Bool
    public var dialog: DialogID
    /// The dialog after this response; nil when it is forgotten, as after BYE.
    public var state: DialogState?
    public var body: SIPBody?
    /// True: a 2xx with an offer to our re-INVITE without one waits for ``SIPEndpoint/acknowledge(_:body:)``.
    public var awaitsAcknowledgement = false
    /// Of Retry-After.
    public var retryAfter: Duration?

    public init(
        transaction: SIPTransactionID, method: SIPMethod, status: Int, isFromPeer: Bool = true, dialog: DialogID,
        state: DialogState? = nil, body: SIPBody? = nil, awaitsAcknowledgement: Bool = false,
        retryAfter: Duration? = nil
    ) {
        self.transaction = transaction
        self.method = method
        self.status = status
        self.isFromPeer = isFromPeer
        self.dialog = dialog
        self.state = state
        self.body = body
        self.awaitsAcknowledgement = awaitsAcknowledgement
        self.retryAfter = retryAfter
    }

    /// The other side has no such dialog or is not there any more: end the call with BYE (RFC 3261 section 12.2.1.2).
    public var endsDialog: Bool { status == 481 || status == 408 }
}
