/// A statement with its values apart from its text: an interpolation becomes a parameter, never text of the statement.
///
///     let rows = try await database.query("SELECT name FROM directory.users WHERE id = \(id)")
///
/// The text is what a prepared statement is kept under, so the number of different texts has to be bounded: pass lists
/// as one array (`WHERE id = ANY(\(ids)::uuid[])`). PostgreSQL infers a parameter's type from where it stands; cast it
/// where that is not enough (`\(text)::text`).
public struct SQL: Sendable, ExpressibleByStringInterpolation {
    package let text: String
    package let parameters: [SQLValue]

    public init(stringLiteral value: String) {
        text = value
        parameters = []
    }

    public init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
        parameters = stringInterpolation.parameters
    }

    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var parameters: [SQLValue] = []

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 3 * interpolationCount)
            parameters.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) {
            text += literal
        }

        public mutating func appendInterpolation<Value: SQLConvertible>(_ value: Value) {
            append(value.sqlValue)
        }

        public mutating func appendInterpolation<Value: SQLConvertible>(_ value: Value?) {
            append(value?.sqlValue ?? .null)
        }

        /// An enum with raw values is stored as its raw value.
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: SQLConvertible {
            append(value.rawValue.sqlValue)
        }

        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value?)
        where Value.RawValue: SQLConvertible {
            append(value?.rawValue.sqlValue ?? .null)
        }

        /// A piece of another statement, with its parameters renumbered.
        public mutating func appendInterpolation(_ fragment: SQL) {
            text += SQL.renumbered(fragment.text, by: parameters.count)
            parameters += fragment.parameters
        }

        /// Text of the statement itself, for names that PostgreSQL takes no parameter for. Never anything from outside.
        package mutating func appendInterpolation(raw text: String) {
            self.text += text
        }

        private mutating func append(_ value: SQLValue) {
            parameters.append(value)
            text += "$\(parameters.count)"
        }
    }

    private static func renumbered(_ text: String, by offset: Int) -> String {
        guard offset > 0, text.utf8.contains(UInt8(ascii: "$")) else { return text }
        var result = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            result += rest[...dollar]
            rest = rest[rest.index(after: dollar)...]
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            if let number = Int(digits) {
                result += String(number + offset)
                rest = rest[digits.endIndex...]
            }
        }
        return result + rest
    }
}

/// A value as it goes to PostgreSQL.
public enum SQLValue: Sendable, Equatable {
    case null
    /// In PostgreSQL's text form.
    case text(String)
    /// As a `bytea`.
    case bytes([UInt8])
}

/// What may stand in an interpolation of `SQL`.
public protocol SQLConvertible: Sendable {
    var sqlValue: SQLValue { get }
}
