/// How long to wait before the next attempt: doubling up to a limit, with jitter so that not all come at once.
package struct Backoff: Sendable {
    private let first: Duration
    private let limit: Duration
    private var current: Duration

    package init(first: Duration, limit: Duration) {
        self.first = first
        self.limit = limit
        current = first
    }

    /// Between half of the current step and all of it.
    package mutating func next() -> Duration {
        let step = current
        current = min(limit, current * 2)
        return step * Double.random(in: 0.5...1)
    }

    package mutating func reset() { current = first }
}
