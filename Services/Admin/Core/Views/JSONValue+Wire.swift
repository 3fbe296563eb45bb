import WireFormat

extension JSONValue {
    /// RFC 3339 in UTC, or null.
    static func time(_ time: Timestamp?) -> JSONValue { time.map { .string($0.description) } ?? .null }

    /// The case's name in lower camel case.
    static func name(_ value: some WireEnum) -> JSONValue { .string(value.description) }

    static func number(_ value: some BinaryInteger) -> JSONValue { .integer(Int64(clamping: value)) }

    /// Null for what the wire leaves empty.
    static func textOrNull(_ text: String?) -> JSONValue {
        guard let text, !text.isEmpty else { return .null }
        return .string(text)
    }
}

extension Timestamp {
    /// To the second, in UTC, for tables.
    var short: String {
        let text = Timestamp(seconds: seconds).description
        return text.replacing("T", with: " ").replacing("Z", with: "")
    }
}

extension Timestamp? {
    var short: String { self?.short ?? "" }
}
