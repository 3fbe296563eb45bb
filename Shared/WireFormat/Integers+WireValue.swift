/// 32-bit integers are numbers in JSON, 64-bit ones strings; both are read from either.
public protocol WireInteger: WireMapKey, FixedWidthInteger, Codable {}

extension Int32: WireInteger {}
extension Int64: WireInteger {}
extension UInt32: WireInteger {}
extension UInt64: WireInteger {}

extension WireInteger {
    public static var wireDefault: Self { 0 }

    public init(jsonDecoder decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Self.self) {
            self = number
        } else if let text = try? container.decode(String.self), let number = Self(jsonKey: text) {
            self = number
        } else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not an integer of this size")
        }
    }

    public func encodeJSON(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if Self.bitWidth == 64 {
            try container.encode(jsonKey)
        } else {
            try container.encode(self)
        }
    }

    public func describe(into text: inout String) { text += jsonKey }

    public init?(jsonKey: String) { self.init(jsonKey, radix: 10) }

    public var jsonKey: String { String(self) }

    public static func comesFirst(_ left: Self, _ right: Self) -> Bool { left < right }
}
