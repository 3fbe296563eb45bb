import Dispatch
import Foundation

/// The far side of a test: a socket that sends bytes of the test's own making and shows what comes back.
final class RawPeer: Sendable {
    let descriptor: Int32
    let port: UInt16
    let isStream: Bool
    private let queue = DispatchQueue(label: "raw peer")
    private let destination: sockaddr_in

    /// Connects to an endpoint on 127.0.0.1; over UDP the socket only hears from there.
    init(udp endpoint: UInt16) {
        (descriptor, destination, port) = Self.open(SOCK_DGRAM, endpoint)
        isStream = false
    }

    init(tcp endpoint: UInt16) {
        (descriptor, destination, port) = Self.open(SOCK_STREAM, endpoint)
        isStream = true
    }

    deinit { close(descriptor) }

    private static func open(_ kind: __socket_type, _ remote: UInt16) -> (Int32, sockaddr_in, UInt16) {
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
        precondition(connected == 0, "cannot connect: \(errno)")
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
    func receive(within milliseconds: Int = 3000) async -> String? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard Foundation.poll(&poll, 1, Int32(milliseconds)) > 0 else {
                    return continuation.resume(returning: nil)
                }
                var buffer = [UInt8](repeating: 0, count: 65536)
                let count = recv(descriptor, &buffer, buffer.count, 0)
                continuation.resume(returning: count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil)
            }
        }
    }

    /// The next response to the request with this CSeq, skipping what retransmissions bring.
    func answer(to cseq: String, within milliseconds: Int = 3000) async -> String? {
        while let message = await receive("SIP/2.0 ", within: milliseconds) {
            if message.header("CSeq") == cseq { return message }
        }
        return nil
    }

    /// The next message that starts with this, skipping others.
    func receive(_ start: String, within milliseconds: Int = 3000) async -> String? {
        while let message = await receive(within: milliseconds) {
            if isStream, let found = message.range(of: start) { return String(message[found.lowerBound...]) }
            if message.hasPrefix(start) { return message }
        }
        return nil
    }
}
