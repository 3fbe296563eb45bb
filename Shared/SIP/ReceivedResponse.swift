/// The answer to a request that we sent.
public struct ReceivedResponse: Sendable {
    public var transaction: SIPTransactionID
    public var method: SIPMethod
    /// 100...699; 408 when nobody answered and 503 when the request could not be sent, as RFC 3261 section 8.1.3.1 has it.
    public var status: Int
    /// False when the status was made up here for a timeout or a transport error.
    public var isFromPeer: Bool
    public var dialog: DialogState
    public var body: SIPBody?
}
