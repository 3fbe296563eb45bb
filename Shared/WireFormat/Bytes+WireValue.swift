/// `bytes`: base64 in JSON.
extension Array: WireValue where Element == UInt8 {
    public static var wireDefault: [UInt8] { [] }

    public init(jsonDecoder decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let bytes = Base64.decode(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64")
        }
        self = bytes
    }

    public func encodeJSON(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64.encode(self))
    }

    public func describe(into text: inout String) { text += "\(count) bytes" }
}
