/// Tells whether this process has been running all the time: one that was stopped or starved for half a lease may have
/// lost its slots without knowing. Time is passed in.
package struct PauseDetector: Sendable {
    private let limit: Duration
    private var lastBeat: ContinuousClock.Instant
    private var doubtSince: ContinuousClock.Instant?

    package init(leaseDuration: Duration, now: ContinuousClock.Instant) {
        limit = leaseDuration / 2
        lastBeat = now
    }

    /// To be called several times within half a lease. True when it shows that there was a pause.
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
