import Media
import Testing

struct RTCPPacketTests {
    private let report = RTCPReport(
        ssrc: 7, fractionLost: 3, cumulativeLost: -2, highestSequence: 70_000, jitter: 5, lastSenderReport: 6,
        delaySinceLastSenderReport: 8)

    @Test("A compound packet reads back")
    func roundTrip() throws {
        let sender = RTCPSenderInfo(ntpTime: 0x0102_0304_0506_0708, rtpTime: 9, packets: 10, octets: 11)
        let packets: [RTCPPacket] = [
            .senderReport(ssrc: 1, sender: sender, reports: [report]), .receiverReport(ssrc: 2, reports: []),
            .goodbye(ssrcs: [1, 2]),
        ]
        let bytes = packets.flatMap(\.bytes)
        #expect(RTCPPacket.parse(bytes) == packets)
        let isRTCP = RTCPPacket.isRTCP(bytes.span)
        #expect(isRTCP)
    }

    @Test("A goodbye has the bytes of RFC 3550")
    func golden() {
        #expect(RTCPPacket.goodbye(ssrcs: [0x0A0B_0C0D]).bytes == [0x81, 203, 0, 1, 0x0A, 0x0B, 0x0C, 0x0D])
    }

    @Test("A source description fills its last word")
    func description() {
        let bytes = RTCPPacket.sourceDescription(ssrc: 1, cname: "abc").bytes
        #expect(bytes == [0x81, 202, 0, 3, 0, 0, 0, 1, 1, 3, 0x61, 0x62, 0x63, 0, 0, 0])
    }

    @Test("Random bytes are refused or read, never beyond their end")
    func fuzz() {
        var random = SeededGenerator(seed: 5)
        var accepted = 0
        for _ in 0..<50_000 {
            var bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if bytes.count >= 4 {
                bytes[0] = 0x80 | bytes[0] & 0x3F
                bytes[1] = 200 + bytes[1] % 5
                bytes[2] = 0
                bytes[3] %= 20
            }
            if RTCPPacket.parse(bytes) != nil { accepted += 1 }
        }
        #expect(accepted > 0)
    }
}
