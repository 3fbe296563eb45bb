/// A call to set up: what its INVITE says. ``SIPEndpoint/prepare(_:)`` makes it ready to be stored and sent.
public struct OutgoingInvite: Sendable {
    /// Request-URI. Its `transport` parameter, when there is one, decides over ``transport``.
    public var target: SIPURI
    /// A tag is ignored: each call gets its own.
    public var from: SIPAddress
    public var to: SIPAddress
    public var transport: SIPTransport
    /// Route values to visit first, e.g. `<sip:proxy.example;lr>` for an outbound proxy.
    public var routes: [String]
    /// Our Contact; nil for ``SIPEndpoint/contact(over:user:parameters:)`` without user and parameters.
    public var contact: SIPURI?
    public var headers: [SIPHeader]
    /// The offer; nil lets the callee offer in its 2xx, which then waits for ``SIPEndpoint/acknowledge(_:body:)``.
    public var body: SIPBody?
    /// True: the ACK for the 2xx is sent by ``SIPEndpoint/acknowledge(_:body:)`` only, so that the dialog can be stored
    /// first. The callee repeats its 2xx for 64*T1 until then.
    public var acknowledgesManually: Bool

    public init(
        target: SIPURI, from: SIPAddress, to: SIPAddress, transport: SIPTransport = .udp, routes: [String] = [],
        contact: SIPURI? = nil, headers: [SIPHeader] = [], body: SIPBody? = nil, acknowledgesManually: Bool = false
    ) {
        self.target = target
        self.from = from
        self.to = to
        self.transport = transport
        self.routes = routes
        self.contact = contact
        self.headers = headers
        self.body = body
        self.acknowledgesManually = acknowledgesManually
    }
}
