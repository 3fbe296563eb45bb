/// A bounded queue whose elements wait for so long and no longer. Time is passed in.
package struct WaitQueue<Element> {
    private struct Waiting {
        let element: Element
        let deadline: ContinuousClock.Instant
    }

    private var waiting: [Waiting] = []
    private var head = 0
    package let limit: Int
    package let patience: Duration

    package init(limit: Int, patience: Duration) {
        self.limit = limit
        self.patience = patience
    }

    package var count: Int { waiting.count - head }

    /// False when the queue is full.
    package mutating func append(_ element: Element, now: ContinuousClock.Instant) -> Bool {
        guard count < limit else { return false }
        waiting.append(Waiting(element: element, deadline: now + patience))
        return true
    }

    package mutating func next() -> Element? {
        guard head < waiting.count else { return nil }
        defer { advance() }
        return waiting[head].element
    }

    /// Takes the elements that have waited long enough; all have the same patience, so they are the first.
    package mutating func expired(now: ContinuousClock.Instant) -> [Element] {
        var result: [Element] = []
        while head < waiting.count, waiting[head].deadline <= now {
            result.append(waiting[head].element)
            advance()
        }
        return result
    }

    package var nextDeadline: ContinuousClock.Instant? { head < waiting.count ? waiting[head].deadline : nil }

    package mutating func removeAll() -> [Element] {
        defer {
            waiting = []
            head = 0
        }
        return waiting[head...].map(\.element)
    }

    private mutating func advance() {
        head += 1
        if head > 64, head * 2 > waiting.count {
            waiting.removeFirst(head)
            head = 0
        }
    }
}
