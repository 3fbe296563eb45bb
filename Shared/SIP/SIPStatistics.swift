/// What an endpoint holds at one moment.
public struct SIPStatistics: Sendable, Equatable {
    /// Server transactions that the stack remembers, those included that only wait for retransmissions.
    public var serverTransactions: Int
    public var clientTransactions: Int
    /// INVITEs without a final answer, and requests that the handler has yet to answer.
    public var pendingRequests: Int
    /// Dialogs, early ones included.
    public var dialogs: Int
}
