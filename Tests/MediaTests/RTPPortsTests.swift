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

    @Test("Datagrams arrive; those of another host are passed over")
    func exchange() throws {
        let open = Counters().gauge("open")
        let here = try RTPPorts(host: "127.0.0.1", range: 33_020...33_021, open: open).openPair()
        let there = try RTPPorts(host: "127.0.0.2", range: 33_020...33_021, open: open).openPair()
        let target = try #require(SocketAddress(address: "127.0.0.1", port: 33_020))
        let bytes: [UInt8] = [1, 2, 3]
        var buffer = [UInt8](repeating: 0, count: 100)
        there.sendRTP(bytes.span, to: target)
        let own = here.receiveRTP(into: &buffer, from: SocketAddress(address: "127.0.0.2", port: 9))
        #expect(own == 3)
        #expect(Array(buffer[..<3]) == bytes)
        there.sendRTP(bytes.span, to: target)
        let foreign = here.receiveRTP(into: &buffer, from: SocketAddress(address: "127.0.0.3", port: 33_020))
        #expect(foreign == 0)
        let none = here.receiveRTP(into: &buffer, from: nil)
        #expect(none == nil)
    }

    @Test("Only numeric addresses with a real port are taken", arguments: ["", "localhost", "127.0.0.300", "::g"])
    func addresses(text: String) {
        #expect(SocketAddress(address: text, port: 1) == nil)
        #expect(SocketAddress(address: "::1", port: 70_000) == nil)
        #expect(SocketAddress(address: "::1", port: 7) != nil)
    }
}
