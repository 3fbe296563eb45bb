/// An answer to an INVITE of ours that opens a dialog. Its final one comes exactly once.
public struct InviteResponse: Sendable {
    public var invite: InviteID
    /// 101...699. Made up here: 408 for no answer (RFC 3261 timer B), 503 when it could not be sent, 487 when it was
    /// cancelled.
    public var status: Int
    public var isFromPeer: Bool
    /// Of the To header. Different tags before a 2xx are branches of a fork.
    public var remoteTag: String?
    /// The dialog: early for a provisional response with a tag, answered for a 2xx.
    public var dialog: DialogState?
    public var body: SIPBody?
    /// True: the 2xx waits for ``SIPEndpoint/acknowledge(_:body:)``.
    public var awaitsAcknowledgement: Bool
    /// Text of the Reason header (RFC 3326) when there is one.
    public var reason: String?
    /// Of Retry-After.
    public var retryAfter: Duration?
    /// Where a 3xx points. It is a failure like others: nothing is called that the caller did not choose.
    public var contacts: [SIPURI]

    public init(
        invite: InviteID, status: Int, isFromPeer: Bool = true, remoteTag: String? = nil, dialog: DialogState? = nil,
        body: SIPBody? = nil, awaitsAcknowledgement: Bool = false, reason: String? = nil, retryAfter: Duration? = nil,
        contacts: [SIPURI] = []
    ) {
        self.invite = invite
        self.status = status
        self.isFromPeer = isFromPeer
        self.remoteTag = remoteTag
        self.dialog = dialog
        self.body = body
        self.awaitsAcknowledgement = awaitsAcknowledgement
        self.reason = reason
        self.retryAfter = retryAfter
        self.contacts = contacts
    }

    public var isFinal: Bool { status >= 200 }
    public var isAnswer: Bool { (200...299).contains(status) }
}
