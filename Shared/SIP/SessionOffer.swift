/// What an INVITE or UPDATE of ours proposes about session timers (RFC 4028), in whole seconds.
public struct SessionOffer: Hashable, Sendable, Codable {
    /// Session-Expires.
    public var interval: UInt32
    /// Min-SE.
    public var minimum: UInt32

    public init(interval: UInt32, minimum: UInt32) {
        self.interval = interval
        self.minimum = minimum
    }
}
