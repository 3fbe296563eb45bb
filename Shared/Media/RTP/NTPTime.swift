import Glibc

/// Wall-clock time as RTCP carries it (RFC 3550 section 4): seconds since 1900 and their fraction, 32 bits each.
public enum NTPTime {
    /// From 1900 to 1970.
    static let epochOffset: UInt64 = 2_208_988_800

    public static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return (UInt64(time.tv_sec) + epochOffset) << 32 | (UInt64(time.tv_nsec) << 32) / 1_000_000_000
    }
}
