import FoundationEssentials

/// The id of a call, a recording, a record: a UUID of version 7 (RFC 9562, section 5.7).
///
///      0                   1                   2                   3
///     |                 unix_ts_ms (48 bits)                          |
///     | unix_ts_ms                    | ver 7 |   slot (12 bits)      |
///     |var|               random (60 bits)                            |
///     |                                                          |side|
///
/// The 12 bits behind the version hold the slot, so that whoever sees the id knows which lease it is pinned to. The last
/// two bits are zero in a fresh id; `callRecordID(of:)` sets them.
public struct BellwireID: Hashable, Sendable {
    public let high: UInt64
    public let low: UInt64

    /// Of any UUID.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A fresh id that is pinned to `slot`.
    public static func make(slot: Int = 0, milliseconds: UInt64 = BellwireID.currentMilliseconds()) -> BellwireID {
        precondition(Slot.range.contains(slot), "no such slot")
        let high = (milliseconds & 0xFFFF_FFFF_FFFF) << 16 | 0x7000 | UInt64(slot)
        let random = UInt64.random(in: 0...UInt64.max)
        return BellwireID(high: high, low: 0x8000_0000_0000_0000 | (random & 0x3FFF_FFFF_FFFF_FFFC))
    }

    /// Milliseconds since 1970 on this machine's clock.
    public static func currentMilliseconds() -> UInt64 {
        UInt64(Date().timeIntervalSince1970 * 1000)
    }

    /// The slot the id is pinned to.
    public var slot: Int { Int(high & 0xFFF) % Slot.count }

    /// When the id was made: milliseconds since 1970.
    public var milliseconds: UInt64 { high >> 16 }

    /// The id of the call record of one side of the call that this id names. It is known before the record exists.
    public func callRecordID(of side: CallSide) -> BellwireID {
        let mark: UInt64
        switch side {
        case .caller: mark = 1
        case .callee: mark = 2
        case .server: mark = 3
        }
        return BellwireID(high: high, low: low & ~3 | mark)
    }
}

extension BellwireID: LosslessStringConvertible {
    /// Reads the 36-character text form of any UUID; upper case is accepted.
    public init?(_ text: String) {
        guard text.utf8.count == 36 else { return nil }
        var words: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (index, byte) in text.utf8.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = BellwireID.hexadecimalDigit(byte) else { return nil }
            if digits < 16 { words.0 = words.0 << 4 | digit } else { words.1 = words.1 << 4 | digit }
            digits += 1
        }
        self.init(high: words.0, low: words.1)
    }

    public var description: String {
        let alphabet = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 { bytes.append(UInt8(ascii: "-")) }
            let word = index < 16 ? high : low
            bytes.append(alphabet[Int((word >> UInt64(60 - 4 * (index % 16))) & 0xF)])
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

extension BellwireID: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = BellwireID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not a UUID")
        }
        self = id
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension BellwireID: Comparable {
    /// By time of making.
    public static func < (left: BellwireID, right: BellwireID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// Pinned things are spread over a fixed number of slots; each slot is leased to one instance at a time.
public enum Slot {
    public static let count = 64
    public static let range = 0..<count
}
