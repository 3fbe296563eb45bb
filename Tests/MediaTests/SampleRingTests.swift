import Media
import Testing

struct SampleRingTests {
    private func write(_ ring: SampleRing, silence: Int, _ samples: [Int16]) -> Bool {
        ring.write(silence: silence, samples: samples.span)
    }

    @Test("What goes in comes out in order, silence as zeros, also around the end")
    func roundTrip() {
        let ring = SampleRing(capacity: 16)
        for value in Int16(1)...20 {
            #expect(write(ring, silence: 2, [value, -value]))
            var bytes: [UInt8] = []
            #expect(ring.read(into: &bytes))
            #expect(bytes == [0, 0, 0, 0, UInt8(value), 0, UInt8(truncatingIfNeeded: -value), 0xFF])
        }
        var bytes: [UInt8] = []
        #expect(!ring.read(into: &bytes))
    }

    @Test("A full ring refuses, and takes again once read")
    func full() {
        let ring = SampleRing(capacity: 16)
        let samples: [Int16] = [1, 2, 3, 4, 5]
        #expect(write(ring, silence: 0, samples))
        #expect(write(ring, silence: 0, samples))
        #expect(!write(ring, silence: 0, samples))
        var bytes: [UInt8] = []
        #expect(ring.read(into: &bytes))
        #expect(bytes.count == 20)
        #expect(write(ring, silence: 0, samples))
    }

    @Test("A long silence takes no room")
    func longSilence() {
        let ring = SampleRing(capacity: 16)
        #expect(write(ring, silence: 480_000, [7]))
        var bytes: [UInt8] = []
        #expect(ring.read(into: &bytes))
        #expect(bytes.count == 960_002)
    }
}
