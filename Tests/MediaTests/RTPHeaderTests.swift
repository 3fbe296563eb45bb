import Media
import Testing

struct RTPHeaderTests {
    private func parse(_ bytes: [UInt8]) -> (header: RTPHeader, payload: [UInt8])? {
        guard let (header, range) = RTPHeader.parse(bytes.span) else { return nil }
        return (header, Array(bytes[range]))
    }

    @Test("A plain packet has the bytes of RFC 3550 and reads back")
    func golden() throws {
        let header = RTPHeader(
            marker: true, payloadType: 8, sequence: 0x1234, timestamp: 0xDEAD_BEEF, ssrc: 0x0102_0304)
        let bytes = header.packet(payload: [9, 8, 7])
        #expect(bytes == [0x80, 0x88, 0x12, 0x34, 0xDE, 0xAD, 0xBE, 0xEF, 1, 2, 3, 4, 9, 8, 7])
        let read = try #require(parse(bytes))
        #expect(read.header == header)
        #expect(read.payload == [9, 8, 7])
    }

    @Test("CSRCs, extension and padding are stepped over")
    func everyField() throws {
        let bytes: [UInt8] =
            [0xB2, 0x00, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3] + [1, 1, 1, 1, 2, 2, 2, 2] + [0xBE, 0xDE, 0, 1, 5, 5, 5, 5]
            + [42, 43] + [0, 0, 3]
        let read = try #require(parse(bytes))
        #expect(read.header == RTPHeader(payloadType: 0, sequence: 1, timestamp: 2, ssrc: 3))
        #expect(read.payload == [42, 43])
    }

    @Test(
        "Lengths that do not fit are refused",
        arguments: [
            [], [0x80], [UInt8](repeating: 0x80, count: 11),
            [0x40] + [UInt8](repeating: 0, count: 11),
            // CSRC, extension, extension length and padding beyond the end; padding of nothing.
            [0x81] + [UInt8](repeating: 0, count: 14),
            [0x90] + [UInt8](repeating: 0, count: 14),
            [0x90] + [UInt8](repeating: 0, count: 11) + [0, 0, 0, 1],
            [0xA0] + [UInt8](repeating: 0, count: 11) + [13],
            [0xA0] + [UInt8](repeating: 0, count: 11) + [7, 0],
        ] as [[UInt8]])
    func refused(bytes: [UInt8]) {
        #expect(parse(bytes) == nil)
    }

    @Test("Random packets never read beyond their end")
    func fuzz() {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<50_000 {
            var bytes = (0..<Int.random(in: 0...64, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            if !bytes.isEmpty, Bool.random(using: &random) { bytes[0] = bytes[0] & 0x3F | 0x80 }
            guard let (_, range) = RTPHeader.parse(bytes.span) else { continue }
            #expect(range.lowerBound >= 12 && range.upperBound <= bytes.count)
        }
    }
}
