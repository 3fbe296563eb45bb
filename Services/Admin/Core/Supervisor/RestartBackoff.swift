/// How long to wait before a process that ended is started again: twice as long each time, and from the beginning
/// once it has stayed up for a while.
public struct RestartBackoff: Sendable, Equatable {
    public let first: Duration
    public let longest: Duration
    /// A process that ran this long was healthy.
    public let healthyAfter: Duration
    /// Ends in a row, none of them after a healthy time.
    public private(set) var failures = 0

    public init(
        first: Duration = .milliseconds(100), longest: Duration = .seconds(10), healthyAfter: Duration = .seconds(10)
    ) {
        self.first = first
        self.longest = longest
        self.healthyAfter = healthyAfter
    }

    /// The process ended after `uptime`; the answer is the wait before the next start.
    public mutating func ended(after uptime: Duration) -> Duration {
        if uptime >= healthyAfter { failures = 0 }
        failures += 1
        var wait = first
        for _ in 1..<min(failures, 32) where failures > 1 {
            wait *= 2
            if wait >= longest { return longest }
        }
        return min(wait, longest)
    }
}
