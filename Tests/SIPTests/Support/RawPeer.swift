import Foundation

/// The far side of a test: a socket that sends bytes of the test's own making and shows what comes back.
final class RawPeer: Sendable {
    let descriptor: Int32
    let port: UInt16
    let isStream: Bool
    private let destination: sockaddr_in

    /// Connects to an endpoint on 127.0.0.1; over UDP the socket only hears from there.
    init(udp endpoint: UInt16) {
        guard let opened = Self.open(SOCK_DGRAM, endpoint) else { preconditionFailure("cannot connect: \(errno)") }
        (descriptor, destination, port) = opened
        isStream = false
    }

    init(tcp endpoint: UInt16) {
        guard let opened = Self.open(SOCK_STREAM, endpoint) else { preconditionFailure("cannot connect: \(errno)") }
        (descriptor, destination, port) = opened
        isStream = true
    }

    /// Over TCP; nil when nobody listens.
    init?(connecting endpoint: UInt16) {
        guard let opened = Self.open(SOCK_STREAM, endpoint) else { return nil }
        (descriptor, destination, port) = opened
        isStream = true
    }

    deinit { close(descriptor) }

    private static func open(_ kind: __socket_type, _ remote: UInt16) -> (Int32, sockaddr_in, UInt16)? {
        let descriptor = socket(AF_INET, Int32(kind.rawValue), 0)
        var size = Int32(4 << 20)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = remote.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else {
            close(descriptor)
            return nil
        }
        var local = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &local) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return (descriptor, address, UInt16(bigEndian: local.sin_port))
    }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return }
            sent += count
        }
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// The next message; nil when none comes in time. Over TCP what one read gives, which on loopback is one message or more.
    ///
    /// Reads on a thread of its own, and replies from there: other tests may keep every thread of the pool busy for longer
    /// than the endpoint's timers allow a far side to be silent.
    func receive(
        within milliseconds: Int = 3000, replying reply: @escaping @Sendable (String) -> String? = { _ in nil }
    ) async -> String? {
        await withCheckedContinuation { continuation in
            Thread { [self] in
                let message = read(within: milliseconds)
                if let answer = message.flatMap(reply) { send(answer) }
                continuation.resume(returning: message)
            }.start()
        }
    }

    private func read(within milliseconds: Int) -> String? {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard Foundation.poll(&poll, 1, Int32(milliseconds)) > 0 else { return nil }
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }

    /// The next response to the request with this CSeq, skipping what retransmissions bring.
    func answer(to cseq: String, within milliseconds: Int = 3000) async -> String? {
        while let message = await receive("SIP/2.0 ", within: milliseconds) {
            if message.header("CSeq") == cseq { return message }
        }
        return nil
    }

    /// The next message that starts with this, skipping others.
    func receive(
        _ start: String, within milliseconds: Int = 3000,
        replying reply: @escaping @Sendable (String) -> String? = { _ in nil }
    ) async -> String? {
        let isStream = isStream
        let wanted: @Sendable (String) -> String? = { message in
            if isStream { return message.range(of: start).map { String(message[$0.lowerBound...]) } }
            return message.hasPrefix(start) ? message : nil
        }
        while let message = await receive(within: milliseconds, replying: { wanted($0).flatMap(reply) }) {
            if let found = wanted(message) { return found }
        }
        return nil
    }
}
