extension Timestamp: CustomStringConvertible, LosslessStringConvertible {
    /// 0001-01-01T00:00:00Z ... 9999-12-31T23:59:59Z, what RFC 3339 and protobuf can name.
    static let nameableSeconds: ClosedRange<Int64> = -62_135_596_800...253_402_300_799

    /// RFC 3339 in UTC with 0, 3, 6 or 9 digits of a second, as in `2026-03-01T09:05:00.250Z`. Times outside the years
    /// 1 to 9999 are shown as the nearest one inside.
    public var description: String {
        let seconds = min(max(seconds, Self.nameableSeconds.lowerBound), Self.nameableSeconds.upperBound)
        let days = Int((seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400)
        let second = Int((seconds % 86_400 + 86_400) % 86_400)
        let (year, month, day) = CivilDate.from(days: days)

        var text: [UInt8] = []
        text.reserveCapacity(30)
        func append(_ value: Int, digits: Int, before: Unicode.Scalar? = nil) {
            if let before { text.append(UInt8(ascii: before)) }
            var scale = 1
            for _ in 1..<digits { scale *= 10 }
            while scale > 0 {
                text.append(UInt8(ascii: "0") + UInt8(value / scale % 10))
                scale /= 10
            }
        }
        append(year, digits: 4)
        append(month, digits: 2, before: "-")
        append(day, digits: 2, before: "-")
        append(second / 3600, digits: 2, before: "T")
        append(second / 60 % 60, digits: 2, before: ":")
        append(second % 60, digits: 2, before: ":")
        let nanos = Int(min(max(nanos, 0), 999_999_999))
        if nanos % 1000 != 0 {
            append(nanos, digits: 9, before: ".")
        } else if nanos % 1_000_000 != 0 {
            append(nanos / 1000, digits: 6, before: ".")
        } else if nanos != 0 {
            append(nanos / 1_000_000, digits: 3, before: ".")
        }
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads RFC 3339 with any offset; digits of a second beyond the ninth are dropped. A leap second is the second
    /// after.
    public init?(_ text: String) {
        var input = RFC3339Scanner(text)
        guard let year = input.number(digits: 4), input.skip("-"), let month = input.number(digits: 2), input.skip("-"),
            let day = input.number(digits: 2), input.skip("Tt"), let hour = input.number(digits: 2), input.skip(":"),
            let minute = input.number(digits: 2), input.skip(":"), let second = input.number(digits: 2),
            year >= 1, (1...12).contains(month), day >= 1, day <= CivilDate.days(in: month, of: year),
            hour < 24, minute < 60, second <= 60,
            let nanos = input.fraction(), let offset = input.offset(), input.isAtEnd
        else { return nil }
        let days = CivilDate.days(year: year, month: month, day: day)
        let seconds = Int64(days * 86_400 + hour * 3600 + minute * 60 + second - offset)
        guard Self.nameableSeconds.contains(seconds) else { return nil }
        self.init(seconds: seconds, nanos: Int32(nanos))
    }
}

/// Consumes the parts of an RFC 3339 time.
private struct RFC3339Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = text[...].utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    private mutating func digit() -> Int? {
        guard let byte = rest.first, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }

    mutating func number(digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    mutating func skip(_ anyOf: String) -> Bool {
        guard let byte = rest.first, anyOf.utf8.contains(byte) else { return false }
        rest.removeFirst()
        return true
    }

    /// Nanoseconds of the optional fraction.
    mutating func fraction() -> Int? {
        guard skip(".") else { return 0 }
        guard var value = digit() else { return nil }
        var scale = 100_000_000
        value *= scale
        while let digit = digit() {
            scale /= 10
            value += digit * scale
        }
        return value
    }

    /// Seconds east of UTC.
    mutating func offset() -> Int? {
        if skip("Zz") { return 0 }
        let isWest = rest.first == UInt8(ascii: "-")
        guard skip("+-"), let hours = number(digits: 2), skip(":"), let minutes = number(digits: 2),
            hours < 24, minutes < 60
        else { return nil }
        return (hours * 60 + minutes) * (isWest ? -60 : 60)
    }
}
