import Glibc
import Runtime

/// A port that the system is going to need, with the key that sets it.
package struct PortClaim: Sendable, Equatable {
    package enum Transport: String, Sendable {
        case udp = "UDP"
        case tcp = "TCP"
    }

    package let host: String
    package let port: UInt16
    package let transport: Transport
    /// What uses it, for the message.
    package let purpose: String
    /// The environment key that moves it.
    package let key: String

    package init(host: String, port: UInt16, transport: Transport, purpose: String, key: String) {
        self.host = host
        self.port = port
        self.transport = transport
        self.purpose = purpose
        self.key = key
    }

    /// Nil when the port is free, else what is wrong, for the operator.
    package func problem() -> String? {
        let place = "\(transport.rawValue) port \(port) on \(host)"
        switch bindingFailure() {
        case nil: return nil
        case EADDRINUSE: return "\(place), needed for \(purpose), is in use; end what uses it, or set \(key)"
        case EADDRNOTAVAIL: return "\(host) is no address of this machine; set BELLWIRE_HOST"
        case EACCES: return "\(place), needed for \(purpose), is not permitted to this user; set \(key)"
        case let code?:
            return "\(place), needed for \(purpose), cannot be used (\(SystemError("bind", code: code))); see \(key)"
        }
    }

    /// True when the host is no address of this machine.
    package var isForeign: Bool { bindingFailure() == EADDRNOTAVAIL }

    private func bindingFailure() -> Int32? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(transport == .udp ? SOCK_DGRAM.rawValue : SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, String(port), &hints, &list) == 0, let address = unsafe list else {
            return EADDRNOTAVAIL
        }
        defer { unsafe freeaddrinfo(address) }
        let descriptor = unsafe socket(
            address.pointee.ai_family, address.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        if transport == .tcp {
            // Connections of a predecessor in TIME_WAIT are no obstacle to a server.
            var on: Int32 = 1
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        guard unsafe bind(descriptor, address.pointee.ai_addr, address.pointee.ai_addrlen) == 0 else { return errno }
        if transport == .tcp, listen(descriptor, 1) != 0 { return errno }
        return nil
    }
}
