/// What a look at a socket gave.
public enum ReceivedDatagram: Sendable, Equatable {
    /// So many bytes are in the buffer.
    /// - Parameter stamp: when the kernel took it, on the real-time clock; nil when it did not say.
    case datagram(bytes: Int, stamp: Duration?)
    /// It came from another address than the peer's and was dropped.
    case foreign
    /// It is longer than the buffer and was dropped.
    case oversized
    /// Nothing but an ICMP error of something sent earlier; more may wait.
    case error
    /// Nothing waits.
    case none
}
