package import Bus
import FoundationEssentials
import SIP
import Store

extension PostgresCallStorage: FarewellStorage {
    package func keep(_ farewell: Farewell, under lease: SlotLease) async throws {
        let text = String(decoding: try JSONEncoder().encode(farewell), as: UTF8.self)
        try await database.transaction { transaction in
            try await transaction.fence(lease)
            try await transaction.execute(
                """
                INSERT INTO calls.farewell (slot, local_tag, farewell)
                VALUES (\(lease.slot), \(farewell.dialog.id.localTag), \(text)::jsonb)
                ON CONFLICT (slot, local_tag) DO UPDATE SET farewell = EXCLUDED.farewell
                """)
        }
    }

    package func drop(_ farewell: Farewell, under lease: SlotLease) async throws {
        try await database.execute(
            "DELETE FROM calls.farewell WHERE slot = \(lease.slot) AND local_tag = \(farewell.dialog.id.localTag)")
    }

    package func farewells(under lease: SlotLease) async throws -> [Farewell] {
        try await database.execute(
            "DELETE FROM calls.farewell WHERE slot = \(lease.slot) AND begun < now() - interval '32 seconds'")
        return try await database.query(
            "SELECT farewell::text AS farewell FROM calls.farewell WHERE slot = \(lease.slot) ORDER BY begun"
        ).compactMap { row in
            try? JSONDecoder().decode(Farewell.self, from: Data(try row.string("farewell").utf8))
        }
    }
}
