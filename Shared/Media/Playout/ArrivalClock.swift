import Glibc

/// Tells when packets arrived, on the media clock, also when they waited in the socket because the process did not run: by
/// the kernel's stamps.
///
/// Those are on the real-time clock, which may be set meanwhile. So they are not believed where they cannot be: a packet came
/// after the socket was last found empty, not before the packet in front of it, and not in the future. A value: times are
/// passed in.
public struct ArrivalClock: Sendable {
    private var offset = Duration.zero
    private var began = Duration.zero
    private var latest: Duration?

    public init() {}

    /// A socket is about to be emptied.
    /// - Parameters:
    ///   - monotonic: now on the media clock.
    ///   - realTime: the same moment on the real-time clock.
    public mutating func begin(monotonic: Duration, realTime: Duration) {
        offset = realTime - monotonic
        began = monotonic
    }

    /// When a packet arrived.
    /// - Parameters:
    ///   - stamp: the kernel's; nil: it has just arrived.
    ///   - now: on the media clock.
    public mutating func arrival(stamp: Duration?, now: Duration) -> Duration {
        let claimed = stamp.map { $0 - offset } ?? now
        let arrival = min(max(claimed, latest ?? claimed), now)
        latest = arrival
        return arrival
    }

    /// The socket was found empty: what comes from now on arrived after `begin`.
    public mutating func emptied() {
        latest = max(latest ?? began, began)
    }

    /// The media clock and the real-time clock, read at the same moment.
    public static var clocks: (monotonic: Duration, realTime: Duration) {
        var monotonic = MediaThread.now
        // A process that stops between the two readings reads again.
        for _ in 0..<8 {
            let realTime = Self.realTime
            let after = MediaThread.now
            if after - monotonic < .milliseconds(1) { return (monotonic, realTime) }
            monotonic = after
        }
        return (monotonic, realTime)
    }

    private static var realTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Duration(time)
    }
}

extension Duration {
    init(_ time: timespec) { self = .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec) }
}
