/// Why a server transaction failed.
public enum TransactionFailure: String, Sendable {
    /// No ACK for our 2xx within 64*T1 (RFC 3261 section 13.3.1.4): end the call with BYE.
    case notAcknowledged
    /// The response could not be sent.
    case transportError
}
