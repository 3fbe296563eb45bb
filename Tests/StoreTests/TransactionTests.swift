import Observability
import Store
import Synchronization
import TestSupport
import Testing

@Suite struct TransactionTests {
    @Test("What is to run at the commit runs in order; what fails there is the commit's failure, and nothing is kept")
    func atCommit() async throws {
        try await withDatabase { database in
            try await database.execute("CREATE TABLE t (id serial, n int)")
            try await database.transaction { transaction in
                for number in 0..<100 {
                    try await transaction.executeAtCommit("INSERT INTO t (n) VALUES (\(number)::int)")
                }
                // Not all of them wait for the commit.
                #expect(try await transaction.query("SELECT count(*) AS n FROM t")[0].int("n") == 64)
            }
            let rows = try await database.query("SELECT n FROM t ORDER BY id")
            #expect(try rows.map { try $0.int("n") } == Array(0..<100))
            await #expect(throws: StoreError.sql(state: "22012")) {
                try await database.transaction { transaction in
                    try await transaction.executeAtCommit("DELETE FROM t")
                    try await transaction.executeAtCommit("SELECT 1 / 0")
                }
            }
            #expect(try await database.query("SELECT count(*) AS n FROM t")[0].int("n") == 100)
        }
    }

    @Test("Transactions that publish move events at their commit, but not two at a time")
    func publishing() async throws {
        try await withDatabase { database in
            let seen = Mutex<[Int?]>([])
            database.setPublishHook(
                PublishHook(statement: "SELECT 7 AS n") { rows in
                    seen.withLock { $0.append(rows.first.flatMap { try? $0.int("n") }) }
                })
            try await database.transaction { transaction in
                _ = try await transaction.query("SELECT 1")
                transaction.publishes()
            }
            #expect(seen.withLock { $0 } == [7])
            await #expect(throws: StoreError.self) {
                try await database.transaction { transaction in
                    transaction.publishes()
                    try await transaction.executeAtCommit("SELECT 1 / 0")
                }
            }
            #expect(seen.withLock { $0 } == [7])
            // While one is held up in its commit, the next does without.
            try await database.transaction { holder -> Task<Void, any Error> in
                _ = try await holder.query("SELECT pg_advisory_xact_lock(1)")
                let held = Task {
                    try await database.transaction { transaction in
                        transaction.publishes()
                        try await transaction.executeAtCommit("SELECT pg_advisory_xact_lock(1)")
                    }
                }
                while try await holder.query("SELECT FROM pg_locks WHERE NOT granted").isEmpty {}
                try await database.transaction { $0.publishes() }
                #expect(seen.withLock { $0 } == [7, nil])
                return held
            }.value
            #expect(seen.withLock { $0 } == [7, nil, 7])
        }
    }

    @Test("A transaction commits whole or not at all, and its hooks run only after a commit")
    func transactions() async throws {
        struct Refused: Error {}
        try await withDatabase { database in
            try await database.execute("CREATE TABLE t (n int)")
            let hooks = Mutex(0)
            let answer = try await database.transaction { transaction in
                transaction.afterCommit { hooks.withLock { $0 += 1 } }
                try await transaction.execute("INSERT INTO t VALUES (1)")
                return try await transaction.query("SELECT count(*) AS n FROM t")[0].int("n")
            }
            #expect(answer == 1)
            await #expect(throws: Refused.self) {
                try await database.transaction { transaction in
                    transaction.afterCommit { hooks.withLock { $0 += 100 } }
                    try await transaction.execute("INSERT INTO t VALUES (2)")
                    throw Refused()
                }
            }
            // A failure that was passed over cannot be committed over.
            await #expect(throws: StoreError.sql(state: "22012")) {
                try await database.transaction { transaction in
                    try await transaction.execute("INSERT INTO t VALUES (3)")
                    _ = try? await transaction.query("SELECT 1 / 0")
                }
            }
            #expect(try await database.query("SELECT n FROM t").map { try $0.int("n") } == [1])
            #expect(hooks.withLock { $0 } == 1)
        }
    }

    @Test("A transaction used after its end is refused")
    func afterTheEnd() async throws {
        try await withDatabase { database in
            let kept = try await database.transaction { $0 }
            await #expect(throws: StoreError.transactionEnded) { try await kept.query("SELECT 1") }
        }
    }

    @Test("A cancelled transaction is rolled back, its connection is used again, nobody hangs")
    func cancellation() async throws {
        try await withDatabase { database in
            try await database.execute("CREATE TABLE t (n int)")
            for _ in 0..<20 {
                let (inside, entered) = AsyncStream<Void>.makeStream()
                let task = Task {
                    try await database.transaction { transaction in
                        try await transaction.execute("INSERT INTO t VALUES (1)")
                        entered.yield()
                        _ = try await transaction.query("SELECT pg_sleep(0.05)")
                        try await transaction.execute("INSERT INTO t VALUES (2)")
                    }
                }
                for await _ in inside { break }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
            }
            // More than there are connections to lend, so each of them has come back clean.
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<12 {
                    group.addTask {
                        try await database.transaction { _ = try await $0.query("SELECT 1") }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await database.query("SELECT n FROM t").isEmpty)
            let open = try await database.query(
                "SELECT count(*) AS n FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' AND datname = current_database()"
            )
            #expect(try open[0].int("n") == 0)
        }
    }
}
