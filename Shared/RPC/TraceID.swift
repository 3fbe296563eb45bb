/// Names one operation across all processes it passes through: 16 random bytes.
public struct TraceID: Hashable, Sendable, CustomStringConvertible {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A fresh one.
    public static func make() -> TraceID {
        var generator = SystemRandomNumberGenerator()
        return TraceID(high: generator.next(), low: generator.next())
    }

    /// 32 lower-case hexadecimal digits.
    public var description: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
