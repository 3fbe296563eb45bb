/// Counts the frames that a stream of steady frames is to have sent, and finds those that were missed because the process
/// did not run. They are skipped rather than sent in a burst: the far side would play or drop them late.
public struct FrameClock: Sendable {
    private let interval: Duration
    private let tolerance: Duration
    private var due: Duration?

    /// - Parameter tolerance: what is made up for by ticks in close succession.
    public init(
        interval: Duration = MediaThread.interval, tolerance: Duration = MediaThread.interval * MediaThread.maximumLag
    ) {
        self.interval = interval
        self.tolerance = tolerance
    }

    /// A frame is sent now: how many before it were missed.
    public mutating func tick(now: Duration) -> Int {
        let due = self.due ?? now
        let lag = now - due
        let missed = lag > tolerance ? Int(lag / interval) : 0
        self.due = due + interval * (missed + 1)
        return missed
    }
}
