/// A request to send within a dialog.
public struct OutgoingRequest: Sendable {
    public var method: SIPMethod
    public var body: SIPBody?
    public var headers: [SIPHeader]
    /// Its answer is nobody's business.
    var isSilent = false

    public init(_ method: SIPMethod, body: SIPBody? = nil, headers: [SIPHeader] = []) {
        self.method = method
        self.body = body
        self.headers = headers
    }
}
