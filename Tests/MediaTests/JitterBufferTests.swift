import Media
import Testing

struct JitterBufferTests {
    private struct Sent {
        var sequence: UInt16
        var ssrc: UInt32 = 1
        var at: Int
    }

    /// What leaves, in order: the first payload byte of each packet, which numbers them as sent.
    private func run(_ packets: [Sent], capacity: Int = 64) -> (
        left: [Int], generations: [Int], refused: Int, foreign: Int
    ) {
        var buffer = JitterBuffer(hold: .milliseconds(100), capacity: capacity)
        var left: [Int] = []
        var generations: [Int] = []
        var refused = 0
        var foreign = 0
        func take(_ now: Duration, flushing: Bool = false) {
            while let packet = buffer.next(now: now, flushing: flushing) {
                left.append(buffer.withPayload(of: packet) { Int($0[0]) })
                generations.append(packet.generation)
            }
        }
        for (number, sent) in packets.enumerated() {
            let now = Duration.milliseconds(sent.at)
            take(now)
            let header = RTPHeader(
                payloadType: 0, sequence: sent.sequence, timestamp: UInt32(sent.sequence) * 160, ssrc: sent.ssrc)
            let payload = [UInt8(number % 256)]
            if buffer.insert(header, payload: payload.span, arrival: now) != .queued { refused += 1 }
        }
        take(.milliseconds(packets.last?.at ?? 0), flushing: true)
        foreign += buffer.takeDroppedRivals() + buffer.count
        return (left, generations, refused, foreign)
    }

    @Test("Reordered packets leave in order, doubled ones once")
    func reordered() {
        let result = run([
            Sent(sequence: 10, at: 0), Sent(sequence: 12, at: 20), Sent(sequence: 11, at: 25),
            Sent(sequence: 12, at: 30), Sent(sequence: 13, at: 60),
        ])
        #expect(result.left == [0, 2, 1, 4])
        #expect(result.refused == 1)
    }

    @Test("A packet whose turn is over is late; doubled after it left, too")
    func late() {
        let result = run([
            Sent(sequence: 10, at: 0), Sent(sequence: 12, at: 20), Sent(sequence: 13, at: 130),
            Sent(sequence: 11, at: 131), Sent(sequence: 12, at: 132),
        ])
        #expect(result.left == [0, 1, 2])
        #expect(result.refused == 2)
    }

    @Test("The sequence number wraps around")
    func wrapAround() {
        let result = run([
            Sent(sequence: 65_534, at: 0), Sent(sequence: 0, at: 40), Sent(sequence: 65_535, at: 41),
            Sent(sequence: 1, at: 60),
        ])
        #expect(result.left == [0, 2, 1, 3])
        #expect(Set(result.generations).count == 1)
    }

    @Test("A packet before the first one is taken while its turn lasts")
    func beforeTheFirst() {
        let result = run([Sent(sequence: 5, at: 0), Sent(sequence: 4, at: 5), Sent(sequence: 6, at: 20)])
        #expect(result.left == [1, 0, 2])
    }

    @Test("A new SSRC waits until the old one has been quiet, then is a new generation behind all of it, whole")
    func newSource() {
        let change = [
            Sent(sequence: 900, at: 0), Sent(sequence: 901, at: 20), Sent(sequence: 3, ssrc: 2, at: 40),
            Sent(sequence: 2, ssrc: 2, at: 41),
        ]
        let result = run(change + [Sent(sequence: 4, ssrc: 2, at: 430)])
        #expect(result.left == [0, 1, 3, 2, 4])
        #expect(result.generations == [0, 0, 1, 1, 1])
        let early = run(change + [Sent(sequence: 902, at: 60)])
        #expect(early.left == [0, 1, 4])
        #expect(early.foreign == 2)
    }

    @Test("A source that speaks beside the live one is dropped, however much it sends")
    func intruder() {
        var packets: [Sent] = []
        for index in 0..<100 {
            packets.append(Sent(sequence: UInt16(index), at: index * 20))
            for extra in 0..<20 {
                packets.append(Sent(sequence: UInt16(index * 20 + extra), ssrc: 2, at: index * 20 + 1))
            }
        }
        let result = run(packets)
        #expect(result.left == (0..<100).map { $0 * 21 % 256 })
        #expect(Set(result.generations) == [0])
    }

    @Test("One stray sequence number is dropped, two in a row begin anew")
    func jump() {
        let stray = run([Sent(sequence: 10, at: 0), Sent(sequence: 40_000, at: 20), Sent(sequence: 11, at: 40)])
        #expect(stray.left == [0, 2])
        let anew = run([
            Sent(sequence: 10, at: 0), Sent(sequence: 40_000, at: 20), Sent(sequence: 40_001, at: 40),
            Sent(sequence: 40_002, at: 60),
        ])
        #expect(anew.left == [0, 2, 3])
        #expect(anew.generations == [0, 1, 1])
    }

    @Test("After a pause a stream that begins anew a little way back is no late one")
    func restartAfterPause() {
        let result = run([Sent(sequence: 50, at: 0), Sent(sequence: 20, at: 900), Sent(sequence: 21, at: 920)])
        #expect(result.left == [0, 1, 2])
        #expect(result.generations == [0, 1, 1])
    }

    @Test("A full buffer lets the oldest go early")
    func full() {
        let result = run((0..<40).map { Sent(sequence: UInt16($0), at: 1) }, capacity: 8)
        #expect(result.left == Array(0..<40))
    }

    @Test("An oversized payload is refused")
    func oversized() {
        var buffer = JitterBuffer(hold: .zero)
        let header = RTPHeader(payloadType: 0, sequence: 0, timestamp: 0, ssrc: 0)
        let payload = [UInt8](repeating: 0, count: JitterBuffer.maximumPayloadBytes + 1)
        let insertion = buffer.insert(header, payload: payload.span, arrival: .zero)
        #expect(insertion == .oversized)
    }

    @Test("Whatever arrives, each packet leaves at most once and in order within its generation")
    func fuzz() {
        var random = SeededGenerator(seed: 77)
        for _ in 0..<300 {
            var base = UInt16.random(in: 0...UInt16.max, using: &random)
            var at = 0
            var packets: [Sent] = []
            for _ in 0..<200 {
                at += Int.random(in: 0...40, using: &random)
                if Int.random(in: 0..<50, using: &random) == 0 {
                    base = UInt16.random(in: 0...UInt16.max, using: &random)
                }
                base &+= 1
                let sequence = base &- UInt16.random(in: 0...3, using: &random)
                packets.append(Sent(sequence: sequence, ssrc: UInt32.random(in: 0...40, using: &random) / 40, at: at))
            }
            let result = run(packets)
            #expect(Set(result.left).count == result.left.count)
            #expect(result.generations == result.generations.sorted())
            #expect(result.left.count + result.refused + result.foreign == packets.count)
        }
    }
}
