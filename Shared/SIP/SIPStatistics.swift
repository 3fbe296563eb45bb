/// What an endpoint holds at one moment.
public struct SIPStatistics: Sendable, Equatable {
    /// Server transactions that the stack remembers, those included that only wait for retransmissions.
    public var serverTransactions = 0
    public var clientTransactions = 0
    /// INVITEs without a final answer, and requests that the handler has yet to answer.
    public var pendingRequests = 0
    /// Dialogs, early ones included.
    public var dialogs = 0

    public init() {}
}
