extension Bool: WireMapKey {
    public static var wireDefault: Bool { false }

    public init(jsonDecoder decoder: any Decoder) throws { self = try decoder.singleValueContainer().decode(Bool.self) }

    public func encodeJSON(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }

    public func describe(into text: inout String) { text += jsonKey }

    public init?(jsonKey: String) { self.init(jsonKey) }

    public var jsonKey: String { self ? "true" : "false" }

    public static func comesFirst(_ left: Bool, _ right: Bool) -> Bool { !left && right }
}

extension String: WireMapKey {
    public static var wireDefault: String { "" }

    public init(jsonDecoder decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = try container.decode(String.self)
        guard !utf8.contains(0) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "U+0000 in a text")
        }
    }

    public func encodeJSON(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self)
    }

    public func describe(into text: inout String) { text += debugDescription }

    public init?(jsonKey: String) {
        guard !jsonKey.utf8.contains(0) else { return nil }
        self = jsonKey
    }

    public var jsonKey: String { self }

    public static func comesFirst(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }
}

/// The two floating-point types: numbers in JSON, or the strings `NaN`, `Infinity` and `-Infinity`.
public protocol WireFloat: WireValue, BinaryFloatingPoint, LosslessStringConvertible, Codable {}

extension Float: WireFloat {}
extension Double: WireFloat {}

extension WireFloat {
    public static var wireDefault: Self { 0 }

    public init(jsonDecoder decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let number = try? container.decode(Self.self) {
            self = number
            return
        }
        switch try? container.decode(String.self) {
        case "NaN": self = .nan
        case "Infinity": self = .infinity
        case "-Infinity": self = -.infinity
        case .some(let text):
            guard let number = Self(text), number.isFinite else { fallthrough }
            self = number
        case nil:
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a number of this size")
        }
    }

    public func encodeJSON(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if isFinite {
            try container.encode(self)
        } else {
            try container.encode(isNaN ? "NaN" : self < 0 ? "-Infinity" : "Infinity")
        }
    }

    public func describe(into text: inout String) { text += description }
}
