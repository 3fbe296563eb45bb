import Media
import Testing

struct FrameClockTests {
    @Test("Steady and late ticks miss nothing; a pause misses as many frames as it lasts")
    func pause() {
        var clock = FrameClock()
        var now = Duration.seconds(7)
        func missed(after pause: Int) -> Int {
            now += .milliseconds(pause)
            return clock.tick(now: now)
        }
        #expect((0..<100).map { _ in missed(after: 20) } == [Int](repeating: 0, count: 100))
        // Late, and made up for.
        #expect(missed(after: 120) == 0)
        #expect((0..<5).map { _ in missed(after: 0) } == [0, 0, 0, 0, 0])
        #expect(missed(after: 3_020) == 150)
        #expect(missed(after: 20) == 0)
    }
}
