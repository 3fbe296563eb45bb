/// A generated protobuf enum. It is open: numbers that the schema does not know are kept as `unrecognized`.
public protocol WireEnum: WireValue, Hashable, RawRepresentable, CaseIterable, Codable, CustomStringConvertible
where RawValue == Int32, AllCases == [Self] {
    init(rawValue: Int32)

    /// The case without its value's prefix in lower camel case, as in `unanswered`; nil for an unrecognized number.
    var name: String? { get }

    /// The value's name in the .proto file, as in `CALL_STATE_UNANSWERED`; nil for an unrecognized number.
    var protoName: String? { get }
}

extension WireEnum {
    public static var wireDefault: Self { Self(rawValue: 0) }

    /// The case whose name, or name in the .proto file, this is.
    public init?(name: String) {
        guard let found = Self.allCases.first(where: { $0.protoName == name || $0.name == name }) else { return nil }
        self = found
    }

    public var description: String { name ?? String(rawValue) }

    public func describe(into text: inout String) { text += description }

    public init(jsonDecoder decoder: any Decoder) throws { try self.init(from: decoder) }

    public func encodeJSON(to encoder: any Encoder) throws { try encode(to: encoder) }

    /// Takes the name in either form, or a number.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Int32.self) {
            self.init(rawValue: number)
            return
        }
        guard let found = Self(name: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a value of this enum")
        }
        self = found
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if let protoName {
            try container.encode(protoName)
        } else {
            try container.encode(rawValue)
        }
    }
}
