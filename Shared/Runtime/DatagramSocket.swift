import Glibc

/// A UDP socket (IPv4, nonblocking) that talks to one peer only. The kernel tells when nobody listens there.
public final class DatagramSocket: Sendable {
    public static let maximumBytes = 65_507

    private let descriptor: OwnedDescriptor

    /// - Parameter host: a dotted IPv4 address; anything else fails with EINVAL.
    public init(connectedTo host: String, port: UInt16) throws(SystemError) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
            throw SystemError("inet_pton", code: EINVAL)
        }
        let flags = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        descriptor = OwnedDescriptor(try SystemError.check("socket", socket(AF_INET, flags, 0)))
        let result = unsafe withUnsafeBytes(of: &address) { bytes in
            unsafe connect(
                descriptor.number, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self),
                socklen_t(bytes.count))
        }
        try SystemError.check("connect", result)
    }

    /// For a `Poller`.
    public var number: Int32 { descriptor.number }

    /// The port that the peer sees, unless something between changes it.
    public var localPort: UInt16 {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = unsafe withUnsafeMutableBytes(of: &address) { bytes in
            unsafe getsockname(descriptor.number, bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), &length)
        }
        return result == 0 ? UInt16(bigEndian: address.sin_port) : 0
    }

    /// Sends one datagram. Fails with EAGAIN when the buffer is full, with ECONNREFUSED when an earlier one met nobody.
    public func send(_ bytes: [UInt8]) throws(SystemError) {
        let sent = unsafe bytes.withUnsafeBytes { buffer in
            unsafe Glibc.send(descriptor.number, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
        }
        guard sent >= 0 else { throw SystemError("send") }
    }

    /// The next datagram; nil when none waits.
    public func receive() throws(SystemError) -> [UInt8]? {
        var count = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: DatagramSocket.maximumBytes) { buffer, initialized in
            count = unsafe recv(descriptor.number, buffer.baseAddress, buffer.count, 0)
            initialized = max(0, count)
        }
        if count >= 0 { return bytes }
        if errno == EAGAIN || errno == EINTR { return nil }
        throw SystemError("recv")
    }
}
