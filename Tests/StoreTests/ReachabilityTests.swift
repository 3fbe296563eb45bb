import Observability
import Store
import TestSupport
import Testing

@Suite struct ReachabilityTests {
    @Test("A missing server, an unknown role, a missing database are told apart")
    func refusals() async throws {
        func startError(_ configuration: DatabaseConfiguration) async -> StoreError? {
            let database = Database(configuration, logger: TestPostgres.quiet)
            var failure: StoreError?
            do { try await database.start() } catch { failure = error as? StoreError }
            await database.stop()
            return failure
        }
        let nowhere = DatabaseConfiguration(url: "postgresql:///x?host=/nonexistent", patience: .milliseconds(200))
        #expect(await startError(nowhere) == .unreachable)
        let url = try await TestPostgres.shared.makeEmptyDatabase()
        #expect(
            await startError(DatabaseConfiguration(url: url, role: "nobody_of_ours")) == .notAuthorized(state: "22023"))
        let absent = try await TestPostgres.shared.url("absent")
        #expect(await startError(DatabaseConfiguration(url: absent)) == .notAuthorized(state: "3D000"))
        #expect(await startError(DatabaseConfiguration(url: "nonsense")) == .unreachable)
    }

    @Test("A server that has no connection left says so")
    func tooMany() async throws {
        let url = try await TestPostgres.shared.makeEmptyDatabase()
        try await withDatabase(url: url) { database in
            try await database.execute("CREATE ROLE crowded LOGIN CONNECTION LIMIT 0")
            let crowded = url.replacing("bellwire@", with: "crowded@")
            let second = Database(DatabaseConfiguration(url: crowded), logger: TestPostgres.quiet)
            await #expect(throws: StoreError.tooManyConnections) { try await second.start() }
            await second.stop()
        }
    }

    @Test(
        "A server that is too old is named by its version, to services and to the migrator",
        arguments: ["14.9", "9.6.24"])
    func tooOld(version: String) async throws {
        let server = try FakeServer(version: version)
        let expected = StoreError.serverTooOld(version: version == "14.9" ? 140_009 : 90_624)
        let database = Database(DatabaseConfiguration(url: server.url), logger: TestPostgres.quiet)
        await #expect(throws: expected) { try await database.start() }
        await database.stop()
        await #expect(throws: expected) { try await Migrator.migrate(url: server.url, logger: TestPostgres.quiet) }
        #expect(expected.logDescription == "PostgreSQL \(version.prefix { $0 != "." }) is too old, 15 is needed")
        server.stop()
    }

    @Test("A server that is full says so; who came first works on, and who was refused works once there is room")
    func full() async throws {
        let postgres = try await TestPostgres.make(
            settings: ["max_connections=5", "superuser_reserved_connections=0", "max_wal_senders=0"])
        let url = try await postgres.makeEmptyDatabase()
        let late = Database(
            DatabaseConfiguration(url: url, connections: 2, patience: .seconds(20)), logger: TestPostgres.quiet)
        try await withDatabase(url: url, connections: 5) { first in
            await #expect(throws: StoreError.tooManyConnections) { try await late.start() }
            let answer = try await first.query("SELECT 1 AS n")[0].int("n")
            #expect(answer == 1)
        }
        var answer: Int?
        while answer == nil { answer = try? await late.query("SELECT 2 AS n")[0].int("n") }
        #expect(answer == 2)
        await late.stop()
        // More connections than the server has: it goes with those that it got.
        let large = Database(
            DatabaseConfiguration(url: url, connections: 20, patience: .seconds(20)), logger: TestPostgres.quiet)
        try await large.start()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask { try await large.transaction { _ = try await $0.query("SELECT 1") } }
            }
            try await group.waitForAll()
        }
        await large.stop()
        await postgres.stop()
    }

    @Test("After a restart of PostgreSQL the pool heals; what was in flight fails, what waits goes on")
    func restart() async throws {
        let postgres = try await TestPostgres.make()
        let url = try await postgres.makeEmptyDatabase()
        let counters = Counters()
        try await withDatabase(url: url, patience: .seconds(30), counters: counters) { database in
            try await database.execute("CREATE TABLE t (n int)")
            let inFlight = Task { try await database.transaction { try await $0.query("SELECT pg_sleep(60)") } }
            let (inside, entered) = AsyncStream<Void>.makeStream()
            let (gate, open) = AsyncStream<Void>.makeStream()
            let transaction = Task {
                try await database.transaction { transaction in
                    try await transaction.execute("INSERT INTO t VALUES (1)")
                    entered.yield()
                    for await _ in gate { break }
                    try await transaction.execute("INSERT INTO t VALUES (2)")
                }
            }
            for await _ in inside { break }
            // Sent once it shows among the server's activities.
            while try await database.query(
                "SELECT 1 AS n FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(60)' AND state = 'active'"
            ).isEmpty {}
            await postgres.stop()
            await #expect(throws: StoreError.connectionLost) { try await inFlight.value }
            open.yield()
            await #expect(throws: StoreError.self) { try await transaction.value }
            let waiting = Task { try await database.query("SELECT count(*) AS n FROM t")[0].int("n") }
            try await postgres.start()
            #expect(try await waiting.value == 0)
            #expect(database.isReachable)
            try await database.transaction { _ = try await $0.execute("INSERT INTO t VALUES (3)") }
        }
        #expect(value("store_connections", counters) == 0)
        #expect(value("store_connections_lost_total", counters) > 0)
        await postgres.stop()
    }

    @Test("However often connections are killed, every statement ends, and every transaction is whole or not there")
    func killedConnections() async throws {
        let url = try await TestPostgres.shared.makeEmptyDatabase()
        try await withDatabase(url: url, patience: .seconds(20)) { killer in
            try await killer.execute("CREATE TABLE t (n int)")
            try await withDatabase(url: url, connections: 8, patience: .seconds(20), name: "bellwire-test-victim") {
                database in
                let work = Task {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for worker in 0..<24 {
                            group.addTask {
                                for turn in 0..<60 {
                                    if worker.isMultiple(of: 2) {
                                        _ = try? await database.query("SELECT 1")
                                        continue
                                    }
                                    _ = try? await database.transaction { transaction in
                                        try await transaction.execute("INSERT INTO t VALUES (\(worker * 100 + turn))")
                                        try await transaction.execute("INSERT INTO t VALUES (\(worker * 100 + turn))")
                                    }
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                }
                for _ in 0..<30 {
                    _ = try await killer.query(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND application_name = 'bellwire-test-victim'
                        """)
                }
                try await work.value
                let halves = try await killer.query("SELECT n FROM t GROUP BY n HAVING count(*) <> 2")
                #expect(halves.isEmpty)
                _ = try await database.query("SELECT 1")
            }
        }
    }

    @Test("While PostgreSQL is away a statement fails after the patience, and the pool knows")
    func away() async throws {
        let postgres = try await TestPostgres.make()
        let url = try await postgres.makeEmptyDatabase()
        try await withDatabase(url: url, patience: .milliseconds(100)) { database in
            await postgres.stop()
            var failures: [StoreError] = []
            while failures.last != .unreachable {
                do { _ = try await database.query("SELECT 1") } catch let error as StoreError { failures.append(error) }
            }
            #expect(!database.isReachable)
        }
    }

    @Test("A stopped database refuses everything and ends every connection")
    func stopped() async throws {
        let url = try await TestPostgres.shared.makeEmptyDatabase()
        let database = Database(DatabaseConfiguration(url: url), logger: TestPostgres.quiet)
        try await database.start()
        let slow = Task { try await database.query("SELECT pg_sleep(60)") }
        await Task.yield()
        await database.stop()
        await #expect(throws: StoreError.stopped) { try await slow.value }
        await #expect(throws: StoreError.stopped) { try await database.query("SELECT 1") }
        await #expect(throws: StoreError.stopped) { try await database.transaction { _ in } }
    }
}
