extension Timestamp: WireValue, Codable {
    public static var wireDefault: Timestamp { Timestamp() }

    public init(jsonDecoder decoder: any Decoder) throws { try self.init(from: decoder) }

    public func encodeJSON(to encoder: any Encoder) throws { try encode(to: encoder) }

    public func describe(into text: inout String) { text += description }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let time = Timestamp(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a time in RFC 3339")
        }
        self = time
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
