/// A connection lent to one transaction, which has begun.
final class PoolLease: Sendable {
    private let pool: Pool
    private let connection: UInt64

    init(pool: Pool, connection: UInt64) {
        self.pool = pool
        self.connection = connection
    }

    func run(_ sql: SQL) async throws -> QueryResult {
        let job = Job(sql)
        pool.submit(.runLent(job, connection: connection))
        return try await job.promise.value()
    }

    /// Runs the statements and commits, in one go. Throws what one of them failed with; nil when the server had to roll
    /// back because a statement before had failed.
    func commit(_ statements: [SQL]) async throws -> [QueryResult]? {
        let jobs = statements.map(Job.init)
        let commit = Job("COMMIT")
        pool.submit(.finish(jobs + [commit], connection: connection))
        let isCommitted = try await commit.promise.valueDespiteCancellation().command == "COMMIT"
        // They came before the commit, so they are there.
        var results: [QueryResult] = []
        for job in jobs { results.append(try await job.promise.valueDespiteCancellation()) }
        return isCommitted ? results : nil
    }

    func rollBack() {
        pool.submit(.finish([Job("ROLLBACK")], connection: connection))
    }
}
