/// Names a transaction within one ``SIPEndpoint``; never used twice by it, and without meaning to another process.
public struct SIPTransactionID: Hashable, Sendable {
    let value: UInt64

    package init(value: UInt64) { self.value = value }
}
