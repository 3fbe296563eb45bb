import Glibc
import Media
import Observability
import Runtime
import Testing

struct RTPPortsTests {
    @Test("Pairs lie on an even port and the next, and come back when dropped")
    func pairs() throws {
        let open = Counters().gauge("open")
        let ports = RTPPorts(host: "127.0.0.1", range: 33_000...33_005, open: open)
        var pairs: [RTPSocketPair] = []
        for _ in 0..<3 { pairs.append(try ports.openPair()) }
        #expect(Set(pairs.map(\.rtpPort)) == [33_000, 33_002, 33_004])
        #expect(open.value == 6)
        #expect(throws: SystemError("bind", code: EADDRINUSE)) { try ports.openPair() }
        pairs.removeLast()
        #expect(open.value == 4)
        #expect(throws: Never.self) { pairs.append(try ports.openPair()) }
        pairs.removeAll()
        #expect(open.value == 0)
    }

    @Test("Ports another process has are stepped over")
    func taken() throws {
        let open = Counters().gauge("open")
        let other = RTPPorts(host: "127.0.0.1", range: 33_010...33_011, open: open)
        let pair = try other.openPair()
        let ports = RTPPorts(host: "127.0.0.1", range: 33_010...33_013, open: open)
        #expect(try ports.openPair().rtpPort == 33_012)
        withExtendedLifetime(pair) {}
    }

    @Test("Datagrams arrive with the kernel's time; those of another host or port, and those too long, are passed over")
    func exchange() throws {
        let open = Counters().gauge("open")
        let here = try RTPPorts(host: "127.0.0.1", range: 33_020...33_021, open: open).openPair()
        let there = try RTPPorts(host: "127.0.0.2", range: 33_020...33_021, open: open).openPair()
        let target = try #require(SocketAddress(address: "127.0.0.1", port: 33_020))
        let bytes: [UInt8] = [1, 2, 3]
        var buffer = [UInt8](repeating: 0, count: 100)
        func received(from address: String, port: Int, sending bytes: [UInt8]) -> ReceivedDatagram {
            there.sendRTP(bytes.span, to: target)
            return here.receiveRTP(into: &buffer, from: SocketAddress(address: address, port: port))
        }
        let before = ArrivalClock.clocks.realTime
        guard case .datagram(3, let stamp?) = received(from: "127.0.0.2", port: 33_020, sending: bytes) else {
            Issue.record("no stamped datagram")
            return
        }
        #expect(Array(buffer[..<3]) == bytes)
        // The kernel's time of a packet is that of its last tick at worst.
        #expect(stamp > before - .milliseconds(20) && stamp <= ArrivalClock.clocks.realTime)
        #expect(received(from: "127.0.0.3", port: 33_020, sending: bytes) == .foreign)
        #expect(received(from: "127.0.0.2", port: 33_022, sending: bytes) == .foreign)
        #expect(received(from: "::2", port: 33_020, sending: bytes) == .foreign)
        let long = [UInt8](repeating: 0, count: 101)
        #expect(received(from: "127.0.0.2", port: 33_020, sending: long) == .oversized)
        // On hold: any host.
        guard case .datagram = received(from: "0.0.0.0", port: 33_020, sending: bytes) else {
            Issue.record("not taken")
            return
        }
        #expect(here.receiveRTP(into: &buffer, from: nil) == .none)
    }

    @Test("Eight seconds of packets wait for a process that does not run")
    func waiting() throws {
        let open = Counters().gauge("open")
        let here = try RTPPorts(host: "127.0.0.1", range: 33_030...33_031, open: open).openPair()
        let there = try RTPPorts(host: "127.0.0.2", range: 33_030...33_031, open: open).openPair()
        let target = try #require(SocketAddress(address: "127.0.0.1", port: 33_030))
        let packet = [UInt8](repeating: 1, count: 172)
        for _ in 0..<400 { there.sendRTP(packet.span, to: target) }
        var buffer = [UInt8](repeating: 0, count: 200)
        var count = 0
        while case .datagram = here.receiveRTP(into: &buffer, from: nil) { count += 1 }
        #expect(count == 400)
    }

    @Test("Only numeric addresses with a real port are taken", arguments: ["", "localhost", "127.0.0.300", "::g"])
    func addresses(text: String) {
        #expect(SocketAddress(address: text, port: 1) == nil)
        #expect(SocketAddress(address: "::1", port: 70_000) == nil)
        #expect(SocketAddress(address: "::1", port: 7) != nil)
    }
}
