import Foundation
import Glibc
import Synchronization

/// Somebody else on the network who sends a tone as RTP (PCMU, 20 ms) to every port that a host has open, 50 times a
/// second, until it is stopped or `limit` is over. It begins when ports have been open for a while.
final class Intruder: Sendable {
    private let sent = Atomic<Int>(0)
    private let isStopped = Atomic<Bool>(false)

    /// Packets that left so far.
    var packets: Int { sent.load(ordering: .relaxed) }

    /// - Parameters:
    ///   - source: the address the packets come from.
    ///   - target: whose ports they go to.
    ///   - patience: how long ports are open before it begins.
    init(
        from source: String, to target: String, frequency: Double, patience: Duration,
        limit: Duration = .seconds(40)
    ) {
        let payload = [UInt8](Tone.raw(frequency: frequency, seconds: 1, encode: Tone.muLaw))
        // A thread of its own keeps time whatever other tests do.
        let thread = Thread {
            let end = ContinuousClock.now + limit
            while Self.openPorts(of: target).isEmpty, .now < end { usleep(20_000) }
            usleep(UInt32(patience / .microseconds(1)))
            self.send(payload, from: source, to: target, until: end)
        }
        thread.start()
    }

    func stop() { isStopped.store(true, ordering: .relaxed) }

    private func send(_ payload: [UInt8], from source: String, to target: String, until end: ContinuousClock.Instant) {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var own = Self.address(source, port: 0)
        withUnsafePointer(to: &own) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var sequence: UInt16 = 1
        while !isStopped.load(ordering: .relaxed), .now < end {
            let packet = Self.packet(sequence, payload)
            for port in Self.openPorts(of: target) {
                var address = Self.address(target, port: port)
                let count = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        sendto(descriptor, packet, packet.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
                if count == packet.count { sent.wrappingAdd(1, ordering: .relaxed) }
            }
            sequence &+= 1
            usleep(20_000)
        }
    }

    /// RFC 3550, section 5.1.
    private static func packet(_ sequence: UInt16, _ payload: [UInt8]) -> [UInt8] {
        let start = Int(sequence) * 160 % (payload.count - 160)
        let timestamp = UInt32(sequence) * 160
        return [0x80, 0] + bytes(UInt32(sequence)).suffix(2) + bytes(timestamp) + bytes(0xBAD0_CA11)
            + payload[start..<start + 160]
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    private static func address(_ host: String, port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        return address
    }

    /// The even ports of RTP's range that are open at `host`.
    private static func openPorts(of host: String) -> [UInt16] {
        let wanted = String(format: "%08X", address(host, port: 0).sin_addr.s_addr)
        return ProcessTable.datagramSockets.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ")
            guard fields.count > 1 else { return nil }
            let local = fields[1].split(separator: ":")
            guard local.count == 2, local[0] == wanted, let port = UInt16(local[1], radix: 16) else { return nil }
            return (16_384...32_767).contains(port) && port % 2 == 0 ? port : nil
        }
    }
}
