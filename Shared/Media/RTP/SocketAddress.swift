import Glibc

/// A numeric IPv4 or IPv6 address with a port, ready for the socket calls. Holds an address: not for logs.
public struct SocketAddress: Sendable {
    var storage = sockaddr_storage()
    var length: socklen_t = 0

    /// Room for an address that a socket call fills in.
    init() { length = socklen_t(MemoryLayout<sockaddr_storage>.size) }

    /// Nil when the address is not numeric or the port is out of range.
    public init?(address: String, port: Int) {
        guard (0...65_535).contains(port) else { return nil }
        let wirePort = in_port_t(port).bigEndian
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if inet_pton(AF_INET, address, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = wirePort
            copy(four)
        } else if inet_pton(AF_INET6, address, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = wirePort
            copy(six)
        } else {
            return nil
        }
    }

    private mutating func copy<Address>(_ address: Address) {
        length = socklen_t(MemoryLayout<Address>.size)
        withUnsafeMutableBytes(of: &storage) { target in
            withUnsafeBytes(of: address) { target.copyMemory(from: $0) }
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    /// Whether both name the same host and port; an unspecified host of `peer` (a call on hold has 0.0.0.0) is any.
    func isSame(as peer: SocketAddress) -> Bool {
        guard storage.ss_family == peer.storage.ss_family else { return false }
        return withUnsafeBytes(of: storage) { left in
            withUnsafeBytes(of: peer.storage) { right in
                // sin_port and sin6_port lie at 2; sin_addr at 4 with 4 bytes, sin6_addr at 8 with 16.
                guard left[2] == right[2], left[3] == right[3] else { return false }
                let bytes = family == AF_INET ? 4..<8 : 8..<24
                return bytes.allSatisfy { left[$0] == right[$0] } || bytes.allSatisfy { right[$0] == 0 }
            }
        }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
