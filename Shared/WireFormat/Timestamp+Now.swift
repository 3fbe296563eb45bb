import Glibc

extension Timestamp {
    /// The system clock's time.
    public static var now: Timestamp {
        var time = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(seconds: Int64(time.tv_sec), nanos: Int32(time.tv_nsec))
    }
}
