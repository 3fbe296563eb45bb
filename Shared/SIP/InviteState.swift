/// An INVITE of ours as a value: all that is needed to send it, to cancel it and to hear its answers, in this process or in
/// the one that takes over.
///
/// Store it before ``SIPEndpoint/invite(_:credentials:)``, and again what ``SIPEvent/inviteChanged(_:)`` brings. The branches
/// of further attempts follow from it, so that an answer to one that was not stored is recognised all the same.
public struct InviteState: Hashable, Sendable, Codable {
    public var id: InviteID
    /// Request-URI.
    public var target: SIPURI
    /// Our From with the local tag.
    public var local: SIPAddress
    /// To without tag.
    public var remote: SIPAddress
    /// Of the attempt that is sent now; 1 for the first one.
    public var cseq: UInt32
    /// What the Via branches of all attempts have in common.
    public var branchKey: String
    public var localTarget: SIPURI
    public var routes: [String]
    public var transport: SIPTransport
    public var headers: [SIPHeader]
    public var body: SIPBody?
    public var acknowledgesManually: Bool
    /// Seconds of the Session-Expires and Min-SE headers that this attempt carries; nil for none.
    public var session: SessionOffer?
    /// What the far side demanded; the password is not in it.
    public var challenges: [DigestSession]

    /// The Via branch of an attempt (RFC 3261 section 8.1.1.7).
    package func branch(of cseq: UInt32) -> String { "z9hG4bK\(branchKey).\(cseq)" }
}
