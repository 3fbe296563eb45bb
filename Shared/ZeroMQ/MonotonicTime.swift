import Glibc

/// Nanoseconds of the machine's monotonic clock: for deadlines and heartbeats inside one process.
public enum MonotonicTime {
    public static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
    }

    /// `now` plus a duration; never wraps.
    public static func after(_ duration: Duration, from now: UInt64 = MonotonicTime.now()) -> UInt64 {
        let (seconds, attoseconds) = duration.components
        if seconds < 0 || attoseconds < 0 { return now }
        if seconds > 1_000_000_000 { return .max }
        return now &+ UInt64(seconds) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000)
    }
}
