import AdminCore
import Testing

@Suite struct DemoTests {
    /// Values of ITU-T G.711, table 2a.
    @Test(arguments: [
        (0, 0xFF), (-1, 0x7F), (32_635, 0x80), (-32_635, 0x00), (40_000, 0x80), (1000, 0xCE), (-1000, 0x4E),
    ])
    func `encodes mu-law`(sample: Int, code: Int) {
        #expect(DemoTone.encode(sample) == UInt8(code))
    }

    @Test func `makes two seconds of sound`() {
        #expect(DemoTone.muLaw.count == 16_000)
        #expect(Set(DemoTone.muLaw).count > 100)
    }
}
