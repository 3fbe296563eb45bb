import Observability
import Store
import Synchronization
import TestSupport
import Testing

@Suite struct DatabaseTests {
    @Test("Many tasks at once share few connections, each gets its own answer")
    func pipelining() async throws {
        try await withDatabase { database in
            let sum = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<2000 {
                    group.addTask {
                        let rows = try await database.query("SELECT \(number)::int AS n")
                        let answer = try rows[0].int("n")
                        #expect(answer == number)
                        return answer
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(sum == 1999 * 1000)
        }
    }

    @Test("A failing statement fails alone, with a closed error that holds no value")
    func errors() async throws {
        try await withDatabase { database in
            try await database.execute("CREATE TABLE parent (id int PRIMARY KEY)")
            try await database.execute(
                """
                CREATE TABLE child (id int NOT NULL CONSTRAINT positive CHECK (id > 0),
                    parent int CONSTRAINT known REFERENCES parent, name text CONSTRAINT one UNIQUE)
                """)
            #expect(try await database.execute("INSERT INTO parent SELECT generate_series(1, 3)") == 3)
            func failure(_ sql: SQL) async -> StoreError? {
                do { try await database.execute(sql) } catch { return error as? StoreError }
                return nil
            }
            #expect(await failure("INSERT INTO child VALUES (\(1), \(1), \("secret"))") == nil)
            async let unique = failure("INSERT INTO child VALUES (\(2), \(1), \("secret"))")
            async let foreign = failure("INSERT INTO child VALUES (\(2), \(99), \("b"))")
            async let check = failure("INSERT INTO child VALUES (\(-2), \(1), \("c"))")
            async let missing = failure("INSERT INTO child VALUES (\(Int?.none), \(1), \("d"))")
            async let syntax = failure("SELEC \("secret")::text")
            async let good = database.query("SELECT count(*) AS n FROM child")
            #expect(await unique == .constraint(name: "one", kind: .unique))
            #expect(await foreign == .constraint(name: "known", kind: .foreignKey))
            #expect(await check == .constraint(name: "positive", kind: .check))
            #expect(await missing == .constraint(name: "id", kind: .notNull))
            #expect(await syntax == .sql(state: "42601"))
            #expect(try await good[0].int("n") == 1)
        }
    }

    @Test("The server ends a statement that runs too long")
    func statementTimeout() async throws {
        try await withDatabase(statementTimeout: .milliseconds(50)) { database in
            await #expect(throws: StoreError.timedOut) { try await database.query("SELECT pg_sleep(60)") }
            let rows = try await database.query("SELECT 1 AS n")
            #expect(try rows[0].int("n") == 1)
        }
    }

    @Test("A task cancelled while it waits for a connection takes none away")
    func cancelledWaiter() async throws {
        try await withDatabase(connections: 2) { database in
            let (inside, entered) = AsyncStream<Void>.makeStream()
            let (gate, open) = AsyncStream<Void>.makeStream()
            let holder = Task {
                try await database.transaction { _ in
                    entered.yield()
                    for await _ in gate { break }
                }
            }
            for await _ in inside { break }
            let waiter = Task { try await database.transaction { _ in } }
            waiter.cancel()
            await #expect(throws: CancellationError.self) { try await waiter.value }
            open.yield()
            try await holder.value
            try await database.transaction { _ = try await $0.query("SELECT 1") }
        }
    }

    @Test("The queue is bounded in length and in time")
    func overload() async throws {
        let counters = Counters()
        try await withDatabase(
            connections: 2, waitLimit: 3, patience: .milliseconds(200), counters: counters
        ) { database in
            let (inside, entered) = AsyncStream<Void>.makeStream()
            let (gate, open) = AsyncStream<Void>.makeStream()
            let holder = Task {
                try await database.transaction { _ in
                    entered.yield()
                    for await _ in gate { break }
                }
            }
            for await _ in inside { break }
            let refused = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<10 {
                    group.addTask {
                        do { try await database.transaction { _ in } } catch {
                            return error as? StoreError == .overloaded
                        }
                        return false
                    }
                }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(refused == 10)
            #expect(value("store_refused_total", counters) == 10)
            open.yield()
            try await holder.value
        }
    }

    @Test("A transaction that idles loses its connection, not its locks for ever")
    func idleTransaction() async throws {
        try await withDatabase(idleTransactionTimeout: .milliseconds(100)) { database in
            try await database.execute("CREATE TABLE t (n int PRIMARY KEY)")
            await #expect(throws: StoreError.self) {
                try await database.transaction { transaction in
                    try await transaction.execute("INSERT INTO t VALUES (1)")
                    // Waits until another has got the lock that this one held.
                    try await database.execute("INSERT INTO t VALUES (1)")
                    try await transaction.execute("INSERT INTO t VALUES (2)")
                }
            }
            #expect(try await database.query("SELECT n FROM t").count == 1)
        }
    }

    @Test("A slow statement holds up no later one")
    func slowStatement() async throws {
        let url = try await TestPostgres.shared.makeEmptyDatabase()
        try await withDatabase(url: url, statementTimeout: .seconds(60)) { database in
            let slow = Task { try await database.query("SELECT pg_sleep(59)") }
            try await withDatabase(url: url) { onlooker in
                // By now the pool knows that it is slow.
                let active: SQL =
                    """
                    SELECT 1 FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(59)' AND state = 'active'
                        AND clock_timestamp() - query_start > interval '100 milliseconds'
                    """
                while try await onlooker.query(active).isEmpty {}
            }
            let start = ContinuousClock.now
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<100 { group.addTask { _ = try await database.query("SELECT 1") } }
                try await group.waitForAll()
            }
            #expect(ContinuousClock.now - start < .seconds(10))
            slow.cancel()
            await #expect(throws: CancellationError.self) { try await slow.value }
        }
    }

    @Test("More texts than are kept prepared still work")
    func manyTexts() async throws {
        try await withDatabase { database in
            for number in 0..<520 {
                let rows = try await database.query("SELECT \(number)::int AS \(raw: "c\(number)")")
                #expect(try rows[0].int("c\(number)") == number)
            }
        }
    }
}
