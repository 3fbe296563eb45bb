/// The timers of RFC 3261 section 17; tests shorten them.
public struct SIPTimers: Sendable, Equatable {
    /// Round-trip estimate; the limit for answers and ACK is 64 times it.
    public var t1: Duration
    /// Longest interval between retransmissions.
    public var t2: Duration
    /// Longest life of a message in the network.
    public var t4: Duration

    public init(t1: Duration = .milliseconds(500), t2: Duration = .seconds(4), t4: Duration = .seconds(5)) {
        self.t1 = t1
        self.t2 = t2
        self.t4 = t4
    }
}
