/// Tells whether this process has been running all the time: one that was stopped or starved for a quarter of a lease may
/// have lost its slots without knowing. Not half: what a pause takes away is added to the time since the last renewal, and
/// to that for reaching PostgreSQL again after it was away, and the sum has to stay below a lease. Time is passed in.
package struct PauseDetector: Sendable {
    private let limit: Duration
    private var lastBeat: ContinuousClock.Instant
    private var doubtSince: ContinuousClock.Instant?

    package init(leaseDuration: Duration, now: ContinuousClock.Instant) {
        limit = leaseDuration / 4
        lastBeat = now
    }

    /// To be called several times within a quarter of a lease. True when it shows that there was a pause.
    package mutating func beat(_ now: ContinuousClock.Instant) -> Bool {
        let paused = now - lastBeat > limit
        if paused { doubtSince = now }
        lastBeat = now
        return paused
    }

    /// PostgreSQL has told what is ours; it was asked at that moment.
    package mutating func confirm(asked: ContinuousClock.Instant) {
        if let since = doubtSince, asked >= since { doubtSince = nil }
    }

    package func isTrusted(_ now: ContinuousClock.Instant) -> Bool {
        doubtSince == nil && now - lastBeat <= limit
    }
}
