import Bus
import Testing

@Suite struct PauseDetectorTests {
    private let start = ContinuousClock.now

    @Test("Steady beats keep the trust, however long PostgreSQL is silent")
    func steady() {
        var detector = PauseDetector(leaseDuration: .seconds(6), now: start)
        for step in 1...1000 {
            let paused = detector.beat(start + .milliseconds(750) * step)
            #expect(!paused)
        }
        #expect(detector.isTrusted(start + .milliseconds(750) * 1000 + .seconds(1)))
    }

    @Test("A pause of more than a quarter of a lease is doubted at once, until an answer to a later question")
    func pause() {
        var detector = PauseDetector(leaseDuration: .seconds(6), now: start)
        let woken = start + .milliseconds(1600)
        // Before any loop of ours has run again.
        #expect(!detector.isTrusted(woken))
        let paused = detector.beat(woken)
        #expect(paused)
        #expect(!detector.isTrusted(woken))
        // Asked before the pause, answered after it: proves nothing.
        detector.confirm(asked: start + .seconds(1))
        #expect(!detector.isTrusted(woken))
        detector.confirm(asked: woken)
        #expect(detector.isTrusted(woken))
    }
}
