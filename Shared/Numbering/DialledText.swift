/// The digits of a dialled number without what people and programs put between and behind them.
struct DialledText: Equatable {
    /// Began with a plus.
    let isInternational: Bool
    /// ASCII digits, at least one.
    let digits: String

    /// Longest text that is looked at, in UTF-8 bytes.
    static let maximumLength = 64

    /// Nil when a letter or any other sign is in it. Parameters of a telephone URI (RFC 3966, `;isub=`, `;ext=`) are cut,
    /// visual separators and the blanks and marks that copied numbers carry are dropped.
    init?(_ text: String) {
        guard text.utf8.count <= DialledText.maximumLength, let decoded = DialledText.percentDecoded(text) else {
            return nil
        }
        var body = Substring(decoded)
        if body.lowercased().hasPrefix("tel:") { body = body.dropFirst(4) }
        if let end = body.firstIndex(of: ";") { body = body[..<end] }

        var plus = false
        var digits = ""
        for scalar in body.unicodeScalars {
            switch scalar {
            case "0"..."9": digits.unicodeScalars.append(scalar)
            case "+":
                guard !plus, digits.isEmpty else { return nil }
                plus = true
            case "-", ".", "(", ")", "/": continue
            default:
                switch scalar.properties.generalCategory {
                case .spaceSeparator, .dashPunctuation, .format: continue
                default: return nil
                }
            }
        }
        guard !digits.isEmpty else { return nil }
        self.isInternational = plus
        self.digits = digits
    }

    /// RFC 3986, section 2.1; nil for a percent sign without two hexadecimal digits, or for no UTF-8.
    private static func percentDecoded(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let pair = rest.prefix(2)
            let isHexadecimal = pair.allSatisfy { Character(UnicodeScalar($0)).isHexDigit && $0 < 0x80 }
            guard pair.count == 2, isHexadecimal, let value = UInt8(String(decoding: pair, as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
