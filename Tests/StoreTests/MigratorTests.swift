import Store
import TestSupport
import Testing

@Suite struct MigratorTests {
    private let first = Migration(
        number: 1, name: "0001_first", text: "CREATE TABLE a (n int); INSERT INTO a VALUES (1);")
    private let second = Migration(number: 2, name: "0002_second", text: "ALTER TABLE a ADD m int;")

    private func migrate(_ url: String, _ migrations: [Migration]) async throws -> [String] {
        try await Migrator.migrate(url: url, migrations: migrations, logger: TestPostgres.quiet)
    }

    @Test("Each file is applied once, in order, also when several start at once")
    func once() async throws {
        let url = try await TestPostgres.shared.makeEmptyDatabase()
        let applied = try await withThrowingTaskGroup(of: [String].self) { group in
            for _ in 0..<4 { group.addTask { try await migrate(url, [first, second]) } }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(applied == ["0001_first", "0002_second"])
        #expect(try await migrate(url, [first, second]) == [])
    }

    @Test("A file edited after it was applied is refused")
    func changed() async throws {
        let url = try await TestPostgres.shared.makeEmptyDatabase()
        _ = try await migrate(url, [first])
        let edited = Migration(number: 1, name: first.name, text: first.text + " ")
        await #expect(throws: MigrationError.changed("0001_first")) { try await migrate(url, [edited, second]) }
        #expect(try await migrate(url, [first, second]) == ["0002_second"])
    }

    @Test("A database that a later version has migrated is refused")
    func newer() async throws {
        let url = try await TestPostgres.shared.makeEmptyDatabase()
        _ = try await migrate(url, [first, second])
        await #expect(throws: MigrationError.databaseIsNewer(applied: 2, known: 1)) { try await migrate(url, [first]) }
    }

    @Test("A file that fails leaves nothing of itself, names its line, and those before it stay")
    func failing() async throws {
        let url = try await TestPostgres.shared.makeEmptyDatabase()
        let broken = Migration(
            number: 2, name: "0002_broken", text: "CREATE TABLE b (n int);\n\nSELECT * FROM absent;\n")
        await #expect(throws: MigrationError.failed("0002_broken", state: "42P01", line: 3)) {
            try await migrate(url, [first, broken])
        }
        #expect(try await migrate(url, [first, second]) == ["0002_second"])
        try await withDatabase(url: url) { database in
            let left = try await database.query("SELECT 1 FROM pg_class WHERE relname = 'b'")
            #expect(left.isEmpty)
        }
    }

    @Test("A file that comes too late, before one that is applied, is refused, and so is a number twice")
    func order() async throws {
        let url = try await TestPostgres.shared.makeEmptyDatabase()
        let third = Migration(number: 3, name: "0003_third", text: "")
        #expect(try await migrate(url, [first, third]) == ["0001_first", "0003_third"])
        await #expect(throws: MigrationError.misnumbered("0002_second")) {
            try await migrate(url, [first, second, third])
        }
        await #expect(throws: MigrationError.misnumbered("0001_first")) { try await migrate(url, [first, first]) }
    }

    @Test("The bundled migrations make every schema; a second database of the same server gets them too")
    func bundled() async throws {
        let postgres = try await TestPostgres.shared
        for _ in 0..<2 {
            let url = try await postgres.makeEmptyDatabase()
            let before = Database(DatabaseConfiguration(url: url), logger: TestPostgres.quiet)
            try await before.start()
            let known = try Migration.bundled()
            let newest = try #require(known.last?.number)
            await #expect(throws: MigrationError.databaseIsOlder(applied: 0, known: newest)) {
                try await Migrator.check(before)
            }
            #expect(try await Migrator.migrate(url: url, logger: TestPostgres.quiet) == known.map(\.name))
            try await Migrator.check(before)
            await before.stop()
        }
    }

    @Test(
        "Each role uses its own schema and is refused every other",
        arguments: [
            "directory", "calls", "records", "voicemail", "notifications",
        ])
    func isolation(service: String) async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let schemas = ["directory", "calls", "records", "voicemail", "notifications"]
        try await withDatabase(url: url) { owner in
            for schema in schemas {
                try await owner.execute("CREATE TABLE \(raw: schema).probe (id bigserial PRIMARY KEY, n int)")
            }
        }
        try await withDatabase(url: url, role: "bellwire_\(service)") { database in
            for schema in schemas {
                let write: SQL = "INSERT INTO \(raw: schema).probe (n) VALUES (1)"
                if schema == service {
                    #expect(try await database.execute(write) == 1)
                } else {
                    await #expect(throws: StoreError.permissionDenied) { try await database.execute(write) }
                    await #expect(throws: StoreError.permissionDenied) {
                        try await database.query("SELECT n FROM \(raw: schema).probe")
                    }
                }
            }
            await #expect(throws: StoreError.permissionDenied) {
                try await database.execute("CREATE TABLE \(raw: service).mine (n int)")
            }
            _ = try await database.query("SELECT 1 FROM cluster.slot, events.log, events.outbox")
            await #expect(throws: StoreError.permissionDenied) {
                try await database.execute("DELETE FROM cluster.migration")
            }
        }
    }

    @Test("The CLI's role reads who lives and what happens, and changes nothing")
    func cli() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        try await withDatabase(url: url, role: "bellwire_cli") { database in
            _ = try await database.query("SELECT 1 FROM cluster.instance, cluster.slot, events.log, events.sequencer")
            await #expect(throws: StoreError.permissionDenied) {
                try await database.execute("UPDATE cluster.slot SET epoch = epoch + 1")
            }
        }
    }
}
