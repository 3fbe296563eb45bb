import Glibc
import Runtime

/// A bound UDP socket that never blocks. Used by one thread; closes with its owner.
final class UDPSocket: Sendable {
    private let descriptor: OwnedDescriptor

    /// Throws `SystemError` with `EADDRINUSE` when the port is taken.
    init(binding address: SocketAddress) throws(SystemError) {
        let number = socket(address.family, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard number >= 0 else { throw SystemError("socket") }
        descriptor = OwnedDescriptor(number)
        guard address.withPointer({ bind(number, $0, $1) }) == 0 else { throw SystemError("bind") }
    }

    /// Takes one datagram; nil when none waits. One from another host than `peer` is 0 bytes long.
    func receive(into buffer: inout [UInt8], from peer: SocketAddress?) -> Int? {
        var source = SocketAddress()
        let count = buffer.withUnsafeMutableBytes { bytes in
            withUnsafeMutablePointer(to: &source.storage) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(descriptor.number, bytes.baseAddress, bytes.count, 0, $0, &source.length)
                }
            }
        }
        // An ICMP error of something sent earlier: nothing was received, more may wait.
        if count < 0 { return errno == EAGAIN || errno == EBADF ? nil : 0 }
        if let peer, !source.hasSameHost(as: peer) { return 0 }
        return count
    }

    /// Sends one datagram; a full buffer or an unreachable peer loses it, as the network may.
    func send(_ bytes: Span<UInt8>, to address: SocketAddress) {
        _ = bytes.withUnsafeBytes { bytes in
            address.withPointer { sendto(descriptor.number, bytes.baseAddress, bytes.count, 0, $0, $1) }
        }
    }
}
