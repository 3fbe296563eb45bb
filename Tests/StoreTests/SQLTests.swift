import Domain
import Foundation
import Store
import Testing

@Suite struct SQLTests {
    @Test("Interpolations become parameters, also those of an inserted fragment")
    func interpolation() {
        let owner = "o'neil; DROP TABLE x"
        let condition: SQL = "owner = \(owner) AND id > \(7)"
        let statement: SQL = "SELECT \(true) FROM t WHERE \(condition) LIMIT \(Optional<Int>.none)"
        #expect(statement.text == "SELECT $1 FROM t WHERE owner = $2 AND id > $3 LIMIT $4")
        #expect(statement.parameters == [.text("t"), .text(owner), .text("7"), .null])
    }

    @Test("No statement of the product is put together from text")
    func noConcatenation() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var files = 0
        for folder in ["Services", "Shared"] {
            let sources = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
            while let name = sources?.nextObject() as? String {
                guard name.hasSuffix(".swift"), !name.hasSuffix("Store/SQL.swift") else { continue }
                files += 1
                let text = try String(
                    contentsOf: root.appendingPathComponent(folder).appendingPathComponent(name), encoding: .utf8)
                for way in [#"\(raw:"#, "SQL(stringLiteral:", "SQL(stringInterpolation:"] {
                    #expect(!text.contains(way), "\(name): \(way)")
                }
            }
        }
        #expect(files > 300)
    }

    @Test("Every kind of value comes back as it went")
    func roundTrip() async throws {
        try await withDatabase { database in
            let id = BellwireID.make(slot: 63)
            let texts = ["", "a,b", "say \"x\"", "back\\slash", "NULL", "{}", "Zoë\n"]
            let bytes: [UInt8] = [0, 1, 0x27, 0x5C, 0xFF]
            let time = StoreTime(microseconds: -1)
            let rows = try await database.query(
                """
                SELECT \(id)::uuid AS id, \(texts)::text[] AS texts, \(bytes)::bytea AS bytes, \(time)::timestamptz AS time,
                    \(Int64.min)::bigint AS low, \(0.1)::float8 AS tenth, \(false)::boolean AS no,
                    \(Optional<String>.none)::text AS nothing, \([UInt8]())::bytea AS empty, \(["x"])::text[] = '{x}' AS same,
                    \([Int]())::int[] AS numbers
                """)
            let row = try #require(rows.first)
            #expect(try row.id("id") == id)
            #expect(try row.strings("texts") == texts)
            #expect(try row.bytes("bytes") == bytes)
            #expect(try row.time("time") == time)
            #expect(try row.int64("low") == .min)
            #expect(try row.double("tenth") == 0.1)
            #expect(try row.bool("no") == false)
            #expect(try row.optionalString("nothing") == nil)
            #expect(try row.bytes("empty") == [])
            #expect(try row.bool("same"))
            #expect(try row.strings("numbers") == [])
            #expect(throws: StoreError.column("nothing")) { try row.string("nothing") }
            #expect(throws: StoreError.column("absent")) { try row.string("absent") }
            #expect(throws: StoreError.column("texts")) { try row.int("texts") }
        }
    }

    @Test(
        "Moments keep their microseconds through PostgreSQL",
        arguments: [
            0, 1, -1, 951_782_400_000_000, 951_868_799_999_999, 1_700_000_000_123_450, 253_402_300_799_999_999,
            -2_208_988_800_000_001,
        ])
    func moments(microseconds: Int64) async throws {
        try await withDatabase { database in
            let time = StoreTime(microseconds: microseconds)
            let rows = try await database.query(
                """
                SELECT \(time)::timestamptz AS back, (extract(epoch FROM \(time)::timestamptz) * 1000000)::bigint AS number
                """)
            #expect(try rows[0].time("back") == time)
            #expect(try rows[0].int64("number") == microseconds)
        }
    }
}
