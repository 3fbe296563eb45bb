public import Domain

/// One row of a result. Values are read by column name; what is missing, NULL where it may not be, or of another type
/// is `StoreError.column` with the column's name.
public struct Row: Sendable {
    let result: QueryResult
    let index: Int

    public func string(_ column: String) throws -> String { try required(column, optionalString(column)) }
    public func int(_ column: String) throws -> Int { try required(column, optionalInt(column)) }
    public func int64(_ column: String) throws -> Int64 { try required(column, optionalInt64(column)) }
    public func double(_ column: String) throws -> Double { try required(column, optionalDouble(column)) }
    public func bool(_ column: String) throws -> Bool { try required(column, optionalBool(column)) }
    public func bytes(_ column: String) throws -> [UInt8] { try required(column, optionalBytes(column)) }
    public func time(_ column: String) throws -> StoreTime { try required(column, optionalTime(column)) }
    public func id(_ column: String) throws -> BellwireID { try required(column, optionalID(column)) }
    public func strings(_ column: String) throws -> [String] { try required(column, optionalStrings(column)) }

    /// A value of a closed set, stored as its raw value.
    public func value<Value: RawRepresentable>(_ column: String, as type: Value.Type = Value.self) throws -> Value
    where Value.RawValue == String {
        try required(column, Value(rawValue: string(column)))
    }

    public func optionalString(_ column: String) throws -> String? { try result.text(row: index, column: column) }
    public func optionalInt(_ column: String) throws -> Int? { try parsed(column) { Int($0) } }
    public func optionalInt64(_ column: String) throws -> Int64? { try parsed(column) { Int64($0) } }
    public func optionalDouble(_ column: String) throws -> Double? { try parsed(column) { Double($0) } }
    public func optionalTime(_ column: String) throws -> StoreTime? {
        try parsed(column) { StoreTime(postgresText: $0) }
    }
    public func optionalID(_ column: String) throws -> BellwireID? { try parsed(column) { BellwireID($0) } }

    public func optionalBool(_ column: String) throws -> Bool? {
        try parsed(column) { $0 == "t" ? true : $0 == "f" ? false : nil }
    }

    public func optionalBytes(_ column: String) throws -> [UInt8]? { try parsed(column, TextForm.bytes) }

    /// A one-dimensional array of any type, each element in its text form. NULL elements are refused.
    public func optionalStrings(_ column: String) throws -> [String]? { try parsed(column, TextForm.array) }

    private func parsed<Value>(_ column: String, _ parse: (String) -> Value?) throws -> Value? {
        guard let text = try optionalString(column) else { return nil }
        return try required(column, parse(text))
    }

    private func required<Value>(_ column: String, _ value: @autoclosure () throws -> Value?) throws -> Value {
        guard let value = try value() else { throw StoreError.column(column) }
        return value
    }
}

/// PostgreSQL's text form of the types that are more than a number or a word.
enum TextForm {
    /// `\x0123ab`
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.dropFirst(2)
        guard text.hasPrefix("\\x"), digits.count.isMultiple(of: 2) else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(digits.count / 2)
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let left = high {
                result.append(left << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return result
    }

    /// `{a,"b \" c"}`
    static func array(_ text: String) -> [String]? {
        guard text.hasPrefix("{"), text.hasSuffix("}") else { return nil }
        var result: [String] = []
        var current = ""
        var quoted = false
        var wasQuoted = false
        var escaped = false
        func finished() -> Bool {
            guard wasQuoted || (!current.isEmpty && current != "NULL") else { return false }
            result.append(current)
            current = ""
            wasQuoted = false
            return true
        }
        let inner = text.dropFirst().dropLast()
        if inner.isEmpty { return [] }
        for character in inner.unicodeScalars {
            if escaped {
                current.unicodeScalars.append(character)
                escaped = false
            } else if character == "\\" {
                escaped = true
            } else if character == "\"" {
                quoted.toggle()
                wasQuoted = true
            } else if character == ",", !quoted {
                guard finished() else { return nil }
            } else {
                current.unicodeScalars.append(character)
            }
        }
        return finished() ? result : nil
    }
}
