/// A JSON object on one line, built key by key (RFC 8259).
struct LogLine {
    private var bytes: [UInt8] = [UInt8(ascii: "{")]

    mutating func append(_ key: String, text: String) {
        separate(key)
        quote(text)
    }

    mutating func append(_ key: String, value: LogValue) {
        separate(key)
        switch value {
        case .id(let text), .slug(let text), .trusted(let text): quote(text)
        case .int(let number): bytes += Array(String(number).utf8)
        case .bool(let flag): bytes += Array((flag ? "true" : "false").utf8)
        case .duration(let duration): bytes += Array(LogLine.milliseconds(duration).utf8)
        case .redacted(let value): quote(value.redacted)
        }
    }

    /// The line with its newline.
    consuming func finished() -> [UInt8] {
        bytes.append(UInt8(ascii: "}"))
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private mutating func separate(_ key: String) {
        if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
        quote(key)
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            case 0..<0x20:
                let digits = Array("0123456789abcdef".utf8)
                bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// A duration as a JSON number of milliseconds with microseconds behind the point.
    private static func milliseconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let sign = microseconds < 0 ? "-" : ""
        let fraction = String(microseconds.magnitude % 1000)
        return sign + String(microseconds.magnitude / 1000) + "."
            + String(repeating: "0", count: 3 - fraction.count) + fraction
    }
}
