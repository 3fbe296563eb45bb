import Testing
import WireFormat

@Suite("Timestamp")
struct TimestampTests {
    @Test(
        "RFC 3339 both ways",
        arguments: [
            ("1970-01-01T00:00:00Z", 0, 0), ("2000-02-29T23:59:59Z", 951_868_799, 0),
            ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
            ("9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999),
            ("1969-12-31T23:59:59.500Z", -1, 500_000_000), ("2026-03-01T09:05:00.000001Z", 1_772_355_900, 1_000),
            ("1900-03-01T00:00:00Z", -2_203_891_200, 0), ("2100-02-28T12:00:00Z", 4_107_499_200, 0),
        ] as [(String, Int64, Int32)])
    func bothWays(_ text: String, _ seconds: Int64, _ nanos: Int32) {
        let time = Timestamp(seconds: seconds, nanos: nanos)
        #expect(time.description == text)
        #expect(Timestamp(text) == time)
    }

    @Test("Offsets, small letters and short fractions are read")
    func lenient() {
        #expect(Timestamp("1970-01-01T05:30:00+05:30") == Timestamp())
        #expect(Timestamp("1969-12-31t16:00:00.25-08:00") == Timestamp(nanos: 250_000_000))
        #expect(Timestamp("1970-01-01T00:00:00.1234567899z") == Timestamp(nanos: 123_456_789))
        #expect(Timestamp("1972-06-30T23:59:60Z") == Timestamp("1972-07-01T00:00:00Z"))
    }

    @Test(
        "What is no time is refused",
        arguments: [
            "", "1970-01-01", "1970-01-01T00:00:00", "1970-13-01T00:00:00Z", "1970-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z", "1970-01-01T24:00:00Z", "1970-01-01T00:00:00.Z", "1970-01-01T00:00:00Zx",
            "1970-01-01 00:00:00Z", "0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01",
            "1970-01-01T00:00:00+24:00", "-970-01-01T00:00:00Z",
        ])
    func refuses(_ text: String) {
        #expect(Timestamp(text) == nil)
    }

    @Test("Every day from 1600 to 2400 follows the one before")
    func everyDay() {
        var previous = ""
        for day in Int64(-135_140)...157_000 {
            let time = Timestamp(seconds: day * 86_400 + 1)
            let text = time.description
            #expect(text > previous && Timestamp(text) == time)
            previous = text
        }
    }

    @Test("Micro- and milliseconds round down, before 1970 too")
    func conversions() {
        #expect(Timestamp(microsecondsSince1970: -1) == Timestamp(seconds: -1, nanos: 999_999_000))
        #expect(Timestamp(seconds: -1, nanos: 999_999_000).microsecondsSince1970 == -1)
        #expect(Timestamp(seconds: -1, nanos: 999_999_000).millisecondsSince1970 == -1)
        #expect(Timestamp(millisecondsSince1970: 1_500) == Timestamp(seconds: 1, nanos: 500_000_000))
        #expect(Timestamp(seconds: .max).microsecondsSince1970 == .max)
        #expect(Timestamp(seconds: 5) - Timestamp(seconds: 3, nanos: 500_000_000) == .milliseconds(1500))
    }

    @Test("Any seconds and nanoseconds can be shown")
    func extremes() {
        #expect(Timestamp(seconds: .max, nanos: .max).description == "9999-12-31T23:59:59.999999999Z")
        #expect(Timestamp(seconds: .min, nanos: .min).description == "0001-01-01T00:00:00Z")
    }
}
