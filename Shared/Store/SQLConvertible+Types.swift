public import Domain

extension String: SQLConvertible {
    /// PostgreSQL's text holds no NUL; whatever stands behind one would be lost silently, so NULs are taken out.
    public var sqlValue: SQLValue {
        utf8.contains(0) ? .text(String(decoding: utf8.filter { $0 != 0 }, as: UTF8.self)) : .text(self)
    }
}

extension Bool: SQLConvertible {
    public var sqlValue: SQLValue { .text(self ? "t" : "f") }
}

extension Int: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }
}

extension Int32: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }
}

extension Int64: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }
}

extension UInt32: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }
}

extension UInt64: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }
}

extension Double: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }
}

extension BellwireID: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }
}

extension E164: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }
}

extension Identity: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }
}

extension StoreTime: SQLConvertible {
    public var sqlValue: SQLValue { .text(postgresText) }
}

/// Bytes go as `bytea`; everything else as a PostgreSQL array.
extension Array: SQLConvertible where Element: SQLConvertible {
    public var sqlValue: SQLValue {
        // Asked of the type: an empty array of anything casts to an array of anything.
        if Element.self == UInt8.self, let bytes = self as? [UInt8] { return .bytes(bytes) }
        var text = "{"
        for (index, element) in enumerated() {
            if index > 0 { text += "," }
            switch element.sqlValue {
            case .null: text += "NULL"
            case .bytes(let bytes): text += "\"\\\\x\(bytes.hexadecimal)\""
            case .text(let value):
                text += "\""
                for character in value.unicodeScalars {
                    if character == "\"" || character == "\\" { text += "\\" }
                    text.unicodeScalars.append(character)
                }
                text += "\""
            }
        }
        return .text(text + "}")
    }
}

extension UInt8: SQLConvertible {
    public var sqlValue: SQLValue { .text(description) }
}

extension [UInt8] {
    var hexadecimal: String {
        let alphabet = Array("0123456789abcdef".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(count * 2)
        for byte in self {
            result.append(alphabet[Int(byte >> 4)])
            result.append(alphabet[Int(byte & 15)])
        }
        return String(decoding: result, as: UTF8.self)
    }
}
