import Foundation

/// Walks valid JSON and keeps every key, also those that stand twice in one object, which Foundation's parser drops.
struct JSONWalker {
    indirect enum Node {
        case object([(key: String, value: Node)])
        case array([Node])
        case scalar
    }

    private let bytes: [UInt8]
    private var place = 0

    /// - Parameter json: known to be valid (RFC 8259).
    init(_ json: String) { bytes = Array(json.utf8) }

    mutating func value() -> Node {
        skipSpace()
        guard place < bytes.count else { return .scalar }
        switch bytes[place] {
        case UInt8(ascii: "{"): return object()
        case UInt8(ascii: "["): return array()
        case UInt8(ascii: "\""):
            _ = string()
            return .scalar
        default:
            while place < bytes.count, !Self.ends(bytes[place]) { place += 1 }
            return .scalar
        }
    }

    private mutating func object() -> Node {
        var members: [(key: String, value: Node)] = []
        place += 1
        while next(until: UInt8(ascii: "}")) {
            let key = string()
            skipSpace()
            place += 1
            members.append((key, value()))
        }
        return .object(members)
    }

    private mutating func array() -> Node {
        var elements: [Node] = []
        place += 1
        while next(until: UInt8(ascii: "]")) { elements.append(value()) }
        return .array(elements)
    }

    /// Passes over a comma; false behind the end.
    private mutating func next(until end: UInt8) -> Bool {
        skipSpace()
        if place < bytes.count, bytes[place] == UInt8(ascii: ",") {
            place += 1
            skipSpace()
        }
        guard place < bytes.count, bytes[place] != end else {
            place += 1
            return false
        }
        return true
    }

    private mutating func string() -> String {
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
            place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place = min(place + 1, bytes.count)
        let quoted = Data(bytes[start..<place])
        return (try? JSONSerialization.jsonObject(with: quoted, options: .fragmentsAllowed)) as? String ?? ""
    }

    private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    private static func ends(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte)
    }
}
