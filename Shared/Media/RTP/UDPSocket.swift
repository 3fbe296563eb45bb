import Glibc
import Runtime

/// A bound UDP socket that never blocks. Used by one thread; closes with its owner.
final class UDPSocket: Sendable {
    /// What may wait unread in bytes, with the kernel's own share: some ten seconds of 20 ms packets, for a process that does
    /// not run for a while. The kernel allows no more than `net.core.rmem_max`.
    static let receiveBufferBytes = 262_144

    private let descriptor: OwnedDescriptor

    /// Throws `SystemError` with `EADDRINUSE` when the port is taken.
    init(binding address: SocketAddress) throws(SystemError) {
        let number = socket(address.family, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK | O_CLOEXEC, 0)
        guard number >= 0 else { throw SystemError("socket") }
        descriptor = OwnedDescriptor(number)
        // Neither is worth refusing a call for.
        set(SO_RCVBUF, Int32(Self.receiveBufferBytes))
        set(SO_TIMESTAMPNS, 1)
        guard address.withPointer({ bind(number, $0, $1) }) == 0 else { throw SystemError("bind") }
    }

    private func set(_ option: Int32, _ value: Int32) {
        var value = value
        setsockopt(descriptor.number, SOL_SOCKET, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Takes one datagram.
    /// - Parameter peer: who may send; nil: anybody.
    func receive(into buffer: inout [UInt8], from peer: SocketAddress?) -> ReceivedDatagram {
        var source = SocketAddress()
        // A control message's header is 16 bytes long, the kernel's time follows it (cmsg(3)).
        var control: (header: (UInt64, Int32, Int32), stamp: timespec, room: (UInt64, UInt64))
        control = ((0, 0, 0), timespec(), (0, 0))
        var flags: Int32 = 0
        let count = buffer.withUnsafeMutableBytes { bytes in
            withUnsafeMutableBytes(of: &source.storage) { name in
                withUnsafeMutableBytes(of: &control) { control in
                    var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                    return withUnsafeMutablePointer(to: &vector) { vector in
                        var message = msghdr()
                        message.msg_name = name.baseAddress
                        message.msg_namelen = socklen_t(name.count)
                        message.msg_iov = vector
                        message.msg_iovlen = 1
                        message.msg_control = control.baseAddress
                        message.msg_controllen = control.count
                        let count = recvmsg(descriptor.number, &message, 0)
                        flags = message.msg_flags
                        return count
                    }
                }
            }
        }
        guard count >= 0 else { return errno == EAGAIN || errno == EBADF ? .none : .error }
        if let peer, !source.isSame(as: peer) { return .foreign }
        if flags & Int32(MSG_TRUNC) != 0 { return .oversized }
        let isStamped = control.header.1 == SOL_SOCKET && control.header.2 == SO_TIMESTAMPNS
        let stamp = isStamped ? Duration(control.stamp) : nil
        return .datagram(bytes: count, stamp: stamp)
    }

    /// Sends one datagram; a full buffer or an unreachable peer loses it, as the network may.
    func send(_ bytes: Span<UInt8>, to address: SocketAddress) {
        _ = bytes.withUnsafeBytes { bytes in
            address.withPointer { sendto(descriptor.number, bytes.baseAddress, bytes.count, 0, $0, $1) }
        }
    }
}
