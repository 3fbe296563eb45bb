/// A response to send.
public struct SIPResponse: Sendable {
    /// 101...699.
    public var status: Int
    /// Nil: the phrase of RFC 3261.
    public var reasonPhrase: String?
    public var body: SIPBody?
    public var headers: [SIPHeader]

    public init(_ status: Int, reasonPhrase: String? = nil, body: SIPBody? = nil, headers: [SIPHeader] = []) {
        self.status = status
        self.reasonPhrase = reasonPhrase
        self.body = body
        self.headers = headers
    }
}
