/// What both sides of a dialog agreed on about its session timer (RFC 4028).
public struct SessionAgreement: Hashable, Sendable, Codable {
    /// Seconds after which a session that nobody refreshed is over.
    public var interval: UInt32
    /// True: we send the refreshes.
    public var isRefreshedByUs: Bool

    public init(interval: UInt32, isRefreshedByUs: Bool) {
        self.interval = interval
        self.isRefreshedByUs = isRefreshedByUs
    }
}
