/// An INVITE that opens a dialog. The stack has answered 100 and checked what RFC 3261 section 8.2 wants checked.
public struct IncomingInvite: Sendable {
    public var transaction: SIPTransactionID
    /// The dialog as it will be once answered: it holds our own tag and the session timer that a 2xx agrees on, so that it can
    /// be stored before anything is sent.
    public var dialog: DialogState
    public var callID: String
    public var from: SIPAddress
    public var to: SIPAddress
    public var requestURI: SIPURI
    public var contact: SIPAddress
    /// Record-Route values as they came.
    public var recordRoute: [String]
    public var cseq: UInt32
    public var maxForwards: Int
    /// Who calls: withheld callers are never dialable.
    public var caller: CallerIdentity
    /// The offer; nil when the INVITE has none.
    public var body: SIPBody?
    /// The message as it came, for storage: a restarted process rebuilds the transaction from it.
    public var rawMessage: [UInt8]
    public var source: SIPPeer
}
