import Store
import Testing

@Suite struct WaitQueueTests {
    private let start = ContinuousClock.now

    @Test("First come, first served; the limit counts who waits, not who came")
    func order() {
        var queue = WaitQueue<Int>(limit: 3, patience: .seconds(1))
        var served: [Int] = []
        for number in 0..<1000 {
            let accepted = queue.append(number, now: start)
            #expect(accepted)
            if number >= 2, let next = queue.next() { served.append(next) }
        }
        #expect(served == Array(0..<998))
        #expect(queue.count == 2)
        let (third, fourth) = (queue.append(1000, now: start), queue.append(1001, now: start))
        #expect(third && !fourth)
        let left = queue.removeAll()
        #expect(left == [998, 999, 1000])
        #expect(queue.count == 0 && queue.nextDeadline == nil)
    }

    @Test("Who has waited long enough is taken out, the later ones stay")
    func expiry() {
        var queue = WaitQueue<Int>(limit: 10, patience: .seconds(1))
        for number in 0..<4 { _ = queue.append(number, now: start + .milliseconds(400) * number) }
        let early = queue.expired(now: start + .milliseconds(999))
        #expect(early.isEmpty)
        let late = queue.expired(now: start + .milliseconds(1400))
        #expect(late == [0, 1])
        #expect(queue.nextDeadline == start + .milliseconds(1800))
        let next = queue.next()
        #expect(next == 2)
    }
}

@Suite struct PreparedStatementsTests {
    @Test("A text is prepared once, again under another name when forgotten, and not at all beyond the limit")
    func names() {
        var statements = PreparedStatements(limit: 2)
        let uses = ["a", "a", "b", "c"].map { statements.use($0) }
        #expect(uses == [.prepare("s1"), .prepared("s1"), .prepare("s2"), .unnamed])
        statements.forget("a")
        let again = ["c", "a", "c"].map { statements.use($0) }
        #expect(again == [.prepare("s3"), .unnamed, .prepared("s3")])
    }
}

@Suite struct BackoffTests {
    @Test("Steps double up to the limit, each with jitter of at most half")
    func steps() {
        var backoff = Backoff(first: .milliseconds(50), limit: .seconds(1))
        for step in [50, 100, 200, 400, 800, 1000, 1000] {
            let wait = backoff.next()
            #expect(wait >= .milliseconds(step) / 2 && wait <= .milliseconds(step))
        }
        backoff.reset()
        let first = backoff.next()
        #expect(first <= .milliseconds(50))
    }
}
