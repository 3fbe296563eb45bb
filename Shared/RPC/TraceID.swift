import Synchronization

/// Names one operation across all processes it passes through: 16 random bytes.
public struct TraceID: Hashable, Sendable, CustomStringConvertible {
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    private static let seed = (high: UInt64.random(in: 0...UInt64.max), low: UInt64.random(in: 0...UInt64.max))
    private static let count = Atomic<UInt64>(0)

    /// A fresh one: unlike any other, though not secret. The system's generator is asked once a process, since it costs
    /// a system call, and every call begins here.
    public static func make() -> TraceID {
        let number = count.wrappingAdd(1, ordering: .relaxed).newValue &* 0x9E37_79B9_7F4A_7C15
        return TraceID(high: scatter(seed.high &+ number), low: scatter(seed.low &+ number))
    }

    /// SplitMix64's finisher, a bijection: numbers that differ give results that differ.
    private static func scatter(_ number: UInt64) -> UInt64 {
        var bits = number
        bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
        return bits ^ bits >> 31
    }

    /// 32 lower-case hexadecimal digits.
    public var description: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
