import Synchronization

/// An open transaction. Statements run one after the other, in the order in which they were called.
public final class Transaction: Sendable {
    public let database: Database
    private let lease: PoolLease
    private let state = Mutex(State())

    private struct State {
        var hooks: [@Sendable () -> Void] = []
        var ended = false
        var publishes = false
    }

    init(database: Database, lease: PoolLease) {
        self.database = database
        self.lease = lease
    }

    public func query(_ sql: SQL) async throws -> [Row] {
        try await run(sql).rows
    }

    /// How many rows the statement touched.
    @discardableResult
    public func execute(_ sql: SQL) async throws -> Int {
        try await run(sql).touched
    }

    /// Runs once the transaction has been committed; never after a rollback.
    public func afterCommit(_ hook: @escaping @Sendable () -> Void) {
        state.withLock { $0.hooks.append(hook) }
    }

    /// Tells the database's publish hook after the commit, once however often called.
    package func publishes() {
        state.withLock { $0.publishes = true }
    }

    private func run(_ sql: SQL) async throws -> QueryResult {
        guard !state.withLock({ $0.ended }) else { throw StoreError.transactionEnded }
        return try await lease.run(sql)
    }

    func begin() async throws {
        try await lease.begin()
    }

    /// Not cancelled with the task: once sent, the outcome is waited for.
    func commit() async throws {
        let (hooks, publishes) = state.withLock { state in
            state.ended = true
            return (state.hooks, state.publishes)
        }
        try await lease.finish("COMMIT")
        for hook in hooks { hook() }
        if publishes { database.published() }
    }

    /// Gives the connection back; it is used again only after the server has confirmed the rollback.
    func rollBack() {
        state.withLock { $0.ended = true }
        lease.abandon()
    }
}
