/// A connection lent to one transaction.
final class PoolLease: Sendable {
    private let pool: Pool
    private let connection: UInt64

    init(pool: Pool, connection: UInt64) {
        self.pool = pool
        self.connection = connection
    }

    /// Goes out together with the first statement; it fails only when the connection does, and then so does that one.
    func begin() {
        pool.submit(.runLent(Job("BEGIN"), connection: connection))
    }

    func run(_ sql: SQL) async throws -> QueryResult {
        let job = Job(sql)
        pool.submit(.runLent(job, connection: connection))
        return try await job.promise.value()
    }

    /// False when the server had to roll back, because a statement had failed.
    func commit() async throws -> Bool {
        let job = Job("COMMIT")
        pool.submit(.finish(job, connection: connection))
        return try await job.promise.valueDespiteCancellation().command == "COMMIT"
    }

    func rollBack() {
        pool.submit(.finish(Job("ROLLBACK"), connection: connection))
    }
}
