/// A telephone number in its canonical international form: `+` and 2 to 15 digits, the first not 0 (ITU-T E.164).
public struct E164: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// Reads the canonical form only; what people dial goes through `Numbering` first.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 3, bytes.count <= 16, bytes[0] == UInt8(ascii: "+"), bytes[1] != UInt8(ascii: "0"),
            bytes.dropFirst().allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        description = text
    }
}

extension E164: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let number = E164(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an E.164 number")
        }
        self = number
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
