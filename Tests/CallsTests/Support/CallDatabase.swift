import Bus
import CallsCore
import Domain
import Observability
import Store
import TestSupport

/// A database of the test's own in the test process's PostgreSQL, with slots that are leased to nobody in particular.
struct CallDatabase {
    let url: String
    let database: Database
    /// To look at what is not the calls' to read.
    let owner: Database
    let storage: PostgresCallStorage

    init() async throws {
        url = try await TestPostgres.shared.makeDatabase()
        database = Database(
            DatabaseConfiguration(url: url, role: "bellwire_calls", connections: 4), logger: TestPostgres.quiet)
        owner = Database(DatabaseConfiguration(url: url, connections: 2), logger: TestPostgres.quiet)
        try await database.start()
        try await owner.start()
        storage = PostgresCallStorage(database)
    }

    func stop() async {
        await database.stop()
        await owner.stop()
    }

    /// Makes the slot's row, or raises its epoch.
    @discardableResult
    func lease(slot: Int, epoch: Int64 = 1) async throws -> SlotLease {
        try await owner.execute(
            """
            INSERT INTO cluster.slot ("group", slot, epoch) VALUES ('calls', \(slot), \(epoch))
            ON CONFLICT ("group", slot) DO UPDATE SET epoch = \(epoch)
            """)
        return SlotLease(group: "calls", slot: slot, epoch: epoch)
    }

    struct Published: Equatable {
        let key: String
        let version: Int64
        let owner: String
        let type: String
        let payload: [UInt8]
    }

    func published() async throws -> [Published] {
        try await owner.query("SELECT key, version, owner, type, payload FROM events.outbox ORDER BY id").map {
            Published(
                key: try $0.string("key"), version: try $0.int64("version"), owner: try $0.string("owner"),
                type: try $0.string("type"), payload: try $0.bytes("payload"))
        }
    }
}
