import Media
import Observability
import Testing
import VoicemailCore

/// A taken call ticked by hand, over real sockets.
@Suite(.serialized)
struct TakenCallTests {
    private struct Line {
        let call: TakenCall
        let relay: RTPSocketPair
        let voicemail: SocketAddress
        let ports: RTPPorts
        let counters: Counters
        let open: Gauge
    }

    private func line(prompt: Int) throws -> Line {
        let counters = Counters()
        let open = counters.gauge("open")
        let ports = RTPPorts(host: "127.0.0.1", range: 33_100...33_199, open: open)
        let relay = try ports.openPair()
        let sockets = try ports.openPair()
        let offer = try SessionDescription(
            parsing: """
                v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r
                m=audio \(relay.rtpPort) RTP/AVP 0 101\r\na=rtpmap:101 telephone-event/8000\r\n
                """)
        let audio = try AudioNegotiation().negotiate(offer).audio
        let recorder = MessageRecorder(
            decoder: try AudioDecoder(.pcmu), roles: PayloadRoles(audio), limits: RecordingLimits())
        let sender = try #require(AudioSender(audio, encoder: try AudioEncoder(.pcmu)))
        let voicemail = try #require(SocketAddress(address: "127.0.0.1", port: sockets.rtpPort))
        let call = TakenCall(
            sockets: sockets, sender: sender, recorder: recorder, prompt: [Int16](repeating: 8_000, count: prompt),
            ring: SampleRing(capacity: 80_000), counters: RefusedPacketCounters(counters), tell: { _ in })
        return Line(
            call: call, relay: relay, voicemail: voicemail, ports: ports, counters: counters, open: open)
    }

    /// What the relay was sent: header and first octet.
    private func received(_ line: Line) -> [(header: RTPHeader, octet: UInt8)] {
        var buffer = [UInt8](repeating: 0, count: 2_048)
        var packets: [(RTPHeader, UInt8)] = []
        while case .datagram(let count, _) = line.relay.receiveRTP(into: &buffer, from: nil) {
            guard let (header, range) = RTPHeader.parse(buffer.span.extracting(0..<count)) else { continue }
            packets.append((header, buffer[range.lowerBound]))
        }
        return packets
    }

    @Test("A greeting that was interrupted goes on where it was, without a burst, and its clock has gone on")
    func stopped() throws {
        let line = try line(prompt: 8_000)
        var now = MediaThread.now
        func tick(after milliseconds: Int) {
            now += .milliseconds(milliseconds)
            #expect(line.call.tick(now: now))
        }
        tick(after: 0)
        tick(after: 500)
        for _ in 0..<10 { tick(after: 20) }
        let before = received(line)
        tick(after: 3_020)
        for _ in 0..<60 { tick(after: 20) }
        let after = received(line)
        #expect(after.count == 61)
        let last = try #require(before.last).header
        let first = try #require(after.first).header
        #expect(first.sequence == last.sequence &+ 1)
        #expect(first.timestamp == last.timestamp &+ 151 * 160)
        #expect(first.marker)
        #expect(!after[1].header.marker)
        // Fifty frames of the greeting in all; the one that follows is silence.
        let spoken = (before + after).count { $0.octet != G711.muLawSilence }
        #expect(spoken == 50)
    }

    @Test("Only the relay's port is listened to; what else comes is counted, and all sockets are closed at the end")
    func strangers() throws {
        let line = try line(prompt: 0)
        var now = MediaThread.now
        #expect(line.call.tick(now: now))
        do {
            let stranger = try line.ports.openPair()
            for index in 0..<5 {
                let header = RTPHeader(payloadType: 0, sequence: UInt16(index), timestamp: 0, ssrc: 9)
                stranger.sendRTP(header.packet(payload: [UInt8](repeating: 1, count: 160)).span, to: line.voicemail)
            }
            line.relay.sendRTP([1, 2, 3].span, to: line.voicemail)
        }
        now += .milliseconds(20)
        #expect(line.call.tick(now: now))
        line.call.end(.hangup)
        #expect(!line.call.tick(now: now))
        let refused = line.counters.snapshot().filter { $0.name == "rtp_packets_refused_total" }
        #expect(refused.first { $0.labels == ["reason": "address"] }?.value == 5)
        #expect(refused.first { $0.labels == ["reason": "malformed"] }?.value == 1)
        #expect(line.open.value == 2)
    }
}
