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
        var failure: (any Error)?
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
        do {
            return try await lease.run(sql)
        } catch {
            state.withLock { if $0.failure == nil { $0.failure = error } }
            throw error
        }
    }

    func begin() { lease.begin() }

    /// Not cancelled with the task: once sent, the outcome is waited for. A transaction in which a statement failed
    /// cannot be committed; whoever passed over that failure is told it now.
    func commit() async throws {
        let (hooks, publishes, failure) = state.withLock { state in
            state.ended = true
            return (state.hooks, state.publishes, state.failure)
        }
        guard try await lease.commit() else { throw failure ?? StoreError.transactionEnded }
        for hook in hooks { hook() }
        if publishes { database.published() }
    }

    /// Gives the connection back; it is used again only after the server has confirmed the rollback.
    func rollBack() {
        state.withLock { $0.ended = true }
        lease.rollBack()
    }
}
