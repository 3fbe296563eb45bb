import Foundation
import RPC
import Testing
import Wire
import WireFormat

/// What an earlier release says on the wire, written down by protobuf's own Python library when that release was made
/// (`Tests/Fixtures/Wire/golden.py`): every message with all its fields, and every method. Processes of two releases that
/// follow each other work side by side, in both directions.
@Suite("An earlier release and this one")
struct CompatibilityTests {
    struct Older: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        let json: String
        var testDescription: String { name }
    }

    private static let lines: [[Substring]] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Fixtures/Wire/release-1.txt")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 4) }
    }()

    static let messages = lines.filter { $0[0] == "message" }.map { words in
        Older(
            name: String(words[1]), bytes: words[2] == "-" ? [] : bytesFromHex(String(words[2])),
            json: words[3...].joined(separator: " "))
    }

    @Test("All of it is there") func isThere() {
        #expect(Self.messages.count > 90)
        #expect(Self.lines.count { $0[0] == "method" } > 40)
    }

    @Test("What the earlier release sends is read as it was meant", arguments: messages)
    func isRead(_ older: Older) throws {
        let type = try #require(WireRegistry.messages[older.name])
        #expect(try type.init(wireBytes: older.bytes).json() == older.json)
        #expect(try type.init(json: older.json).wireBytes() == older.bytes)
    }

    @Test("What this release sends of it has the same bytes", arguments: messages)
    func isWritten(_ older: Older) throws {
        let type = try #require(WireRegistry.messages[older.name])
        #expect(try type.init(wireBytes: older.bytes).wireBytes() == older.bytes)
    }

    /// Fields 1000000 and up, of every wire type, as a later release might have them.
    private static let unknown: [UInt8] =
        [0x80, 0xA4, 0xE8, 0x03, 0x96, 0x01] + [0x89, 0xA4, 0xE8, 0x03, 1, 2, 3, 4, 5, 6, 7, 8]
        + [0x92, 0xA4, 0xE8, 0x03, 3, 0xFF, 0, 0x61] + [0x9D, 0xA4, 0xE8, 0x03, 9, 9, 9, 9]

    @Test("Fields that only a later release knows are passed over, in every message", arguments: messages)
    func hasMore(_ older: Older) throws {
        let type = try #require(WireRegistry.messages[older.name])
        for bytes in [Self.unknown + older.bytes, older.bytes + Self.unknown] {
            #expect(try type.init(wireBytes: bytes).json() == older.json)
        }
    }

    @Test("Without any one field, as a release before it sends it, the others are read alike", arguments: messages)
    func hasLess(_ older: Older) throws {
        let type = try #require(WireRegistry.messages[older.name])
        let fields = Self.fields(older.bytes)
        #expect(fields.flatMap { $0 } == older.bytes)
        for left in fields.indices {
            let rest = Array(fields[..<left].joined()) + Array(fields[(left + 1)...].joined())
            #expect(try type.init(wireBytes: rest).wireBytes() == rest)
        }
    }

    @Test("Every method is there, under the same name, with the same messages and of the same kind") func methods() {
        let known = Dictionary(
            uniqueKeysWithValues: WireRegistry.services.flatMap(\.methods).map { ($0.fullName, $0) })
        for words in Self.lines where words[0] == "method" {
            let method = known[String(words[1])]
            #expect(
                method.map { [$0.kind.rawValue, $0.requestType, $0.responseType] } == words[2...].map(String.init),
                "\(words[1])")
        }
    }

    /// The bytes of each top-level field, number and type included.
    private static func fields(_ bytes: [UInt8]) -> [[UInt8]] {
        var fields: [[UInt8]] = []
        var position = 0
        func varint() -> Int {
            var value = 0
            var shift = 0
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                value |= Int(byte & 0x7F) << shift
                shift += 7
                if byte < 0x80 || shift > 56 { break }
            }
            return value
        }
        while position < bytes.count {
            let start = position
            switch varint() & 7 {
            case 0:
                while bytes[position] >= 0x80 { position += 1 }
                position += 1
            case 1: position += 8
            case 2: position += varint()
            default: position += 4
            }
            fields.append(Array(bytes[start..<position]))
        }
        return fields
    }
}
