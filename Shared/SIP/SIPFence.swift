/// The right to an address that another process may come to own: see ``SIPEndpoint``.
///
/// With one, the endpoint starts although a process that lost the address still has it open: what comes over UDP comes to the
/// endpoint that started last; TCP is listened to once the other has closed.
public struct SIPFence: Sendable {
    /// Asked before each datagram and each write to a connection, on the SIP thread: it must not wait. While the answer is
    /// no, datagrams are dropped as if the network had lost them, and connections are as if they were busy.
    let maySend: @Sendable () -> Bool

    public init(maySend: @escaping @Sendable () -> Bool) {
        self.maySend = maySend
    }
}
