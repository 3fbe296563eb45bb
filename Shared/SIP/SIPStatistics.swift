/// What an endpoint holds at one moment.
public struct SIPStatistics: Sendable, Equatable {
    /// Server transactions that the stack remembers, those included that only wait for retransmissions.
    public var serverTransactions = 0
    /// Client transactions that the stack remembers; one of an INVITE stays for 32 s after its answer (RFC 3261 timer D).
    public var clientTransactions = 0
    /// INVITEs without a final answer, and requests that the handler has yet to answer.
    public var pendingRequests = 0
    /// Requests of ours without a final answer.
    public var openRequests = 0
    /// Dialogs, early ones included.
    public var dialogs = 0

    public init() {}
}
