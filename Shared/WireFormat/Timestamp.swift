/// A moment as protobuf has it (google.protobuf.Timestamp): seconds and nanoseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Sendable {
    /// Seconds since 1970, negative before.
    public var seconds: Int64
    /// 0 ..< 1,000,000,000, counted forward in time.
    public var nanos: Int32

    public init(seconds: Int64 = 0, nanos: Int32 = 0) {
        self.seconds = seconds
        self.nanos = nanos
    }

    public init(millisecondsSince1970 milliseconds: Int64) {
        self.init(microsecondsSince1970: milliseconds * 1000)
    }

    public init(microsecondsSince1970 microseconds: Int64) {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        self.init(
            seconds: rest < 0 ? seconds - 1 : seconds, nanos: Int32(rest < 0 ? rest + 1_000_000 : rest) * 1000)
    }

    /// Rounded down; the largest or smallest number when out of range.
    public var microsecondsSince1970: Int64 {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        return overflow ? (seconds < 0 ? .min : .max) : product + Int64(nanos / 1000)
    }

    /// Rounded down.
    public var millisecondsSince1970: Int64 {
        let (quotient, rest) = microsecondsSince1970.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? quotient - 1 : quotient
    }
}

extension Timestamp: Comparable {
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        (left.seconds, left.nanos) < (right.seconds, right.nanos)
    }

    /// The time from `start` to `end`, negative when `end` is earlier.
    public static func - (end: Timestamp, start: Timestamp) -> Duration {
        .seconds(end.seconds - start.seconds) + .nanoseconds(end.nanos - start.nanos)
    }
}
