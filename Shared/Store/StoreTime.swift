import FoundationEssentials

/// A moment as PostgreSQL keeps it: microseconds since 1970, UTC (`timestamptz`).
public struct StoreTime: Sendable, Hashable, Comparable {
    public var microseconds: Int64

    public init(microseconds: Int64) { self.microseconds = microseconds }

    public init(seconds: Int64, nanoseconds: Int32) {
        microseconds = seconds * 1_000_000 + Int64(nanoseconds) / 1000
    }

    /// This machine's clock. What is compared between machines takes PostgreSQL's (`now()`) instead.
    public static var now: StoreTime {
        StoreTime(microseconds: Int64((Date().timeIntervalSince1970 * 1_000_000).rounded(.down)))
    }

    public var seconds: Int64 { Int64((Double(microseconds) / 1_000_000).rounded(.down)) }

    /// The part below the second.
    public var nanoseconds: Int32 { Int32(microseconds - seconds * 1_000_000) * 1000 }

    public static func < (left: StoreTime, right: StoreTime) -> Bool { left.microseconds < right.microseconds }

    /// `2026-01-31 12:34:56.123456+00`, exact to the microsecond.
    var postgresText: String {
        let (days, dayMicroseconds) = floorDivide(microseconds, 86_400_000_000)
        let (year, month, day) = StoreTime.civil(days: days)
        let second = dayMicroseconds / 1_000_000
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let fraction = String(dayMicroseconds % 1_000_000 + 1_000_000).dropFirst()
        let yearText = String(repeating: "0", count: max(0, 4 - "\(year)".count)) + "\(year)"
        return "\(yearText)-\(two(month))-\(two(day)) "
            + "\(two(second / 3600)):\(two(second / 60 % 60)):\(two(second % 60)).\(fraction)+00"
    }

    /// Reads PostgreSQL's ISO output in UTC. Nil for anything else, also for `infinity` and years before Christ.
    init?(postgresText text: some StringProtocol) {
        var numbers: [Int64] = []
        var fraction: Int64 = 0
        var fractionDigits = 0
        var current: Int64?
        var inFraction = false
        var zone = ""
        for character in text.unicodeScalars {
            if !zone.isEmpty {
                zone.unicodeScalars.append(character)
            } else if let digit = Int64(String(character)) {
                if inFraction {
                    fraction = fraction * 10 + digit
                    fractionDigits += 1
                } else {
                    current = (current ?? 0) * 10 + digit
                }
            } else {
                if let value = current { numbers.append(value) }
                current = nil
                switch character {
                case ".": inFraction = true
                case "+": zone = "+"
                case "-" where numbers.count < 3, " ", ":": break
                default: return nil
                }
            }
        }
        if let value = current { numbers.append(value) }
        guard numbers.count == 6, zone == "+00", fractionDigits <= 6 else { return nil }
        for _ in fractionDigits..<6 { fraction *= 10 }
        let days = StoreTime.days(year: numbers[0], month: numbers[1], day: numbers[2])
        let seconds = days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5]
        microseconds = seconds * 1_000_000 + fraction
    }

    /// Days since 1970-01-01 of the proleptic Gregorian calendar.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = floorDivide(year, 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(days + 719_468, 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }
}

private func floorDivide(_ value: Int64, _ divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let remainder = ((value % divisor) + divisor) % divisor
    return ((value - remainder) / divisor, remainder)
}
