/// The calling party as the network names it (RFC 3323, RFC 3325).
public struct CallerIdentity: Hashable, Sendable, Codable {
    /// The address that may be shown and dialled back; nil when the caller is withheld.
    public var presented: SIPAddress?
    /// P-Asserted-Identity, only for trusted uses such as policy and emergency: never shown when ``isWithheld``.
    public var asserted: [SIPAddress]
    /// Privacy `id`, `user` or `header` was asked for, or From is anonymous.
    public var isWithheld: Bool

    public init(presented: SIPAddress?, asserted: [SIPAddress], isWithheld: Bool) {
        self.presented = presented
        self.asserted = asserted
        self.isWithheld = isWithheld
    }
}
