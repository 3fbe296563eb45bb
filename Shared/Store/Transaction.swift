import Synchronization

/// An open transaction. Statements run one after the other, in the order in which they were called.
public final class Transaction: Sendable {
    public let database: Database
    private let lease: PoolLease
    private let state = Mutex(State())

    private struct State {
        var hooks: [@Sendable () -> Void] = []
        /// To go out with the commit.
        var deferred: [SQL] = []
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

    /// Runs at the commit, together with it, so that nothing waits for it by itself; its failure is the commit's.
    package func executeAtCommit(_ sql: SQL) async throws {
        let due = try state.withLock { state in
            guard !state.ended else { throw StoreError.transactionEnded }
            state.deferred.append(sql)
            guard state.deferred.count >= Transaction.deferredLimit else { return [] as [SQL] }
            defer { state.deferred = [] }
            return state.deferred
        }
        for statement in due { _ = try await run(statement) }
    }

    private static let deferredLimit = 64

    private func run(_ sql: SQL) async throws -> QueryResult {
        guard !state.withLock({ $0.ended }) else { throw StoreError.transactionEnded }
        do {
            return try await lease.run(sql)
        } catch {
            state.withLock { if $0.failure == nil { $0.failure = error } }
            throw error
        }
    }

    /// Not cancelled with the task: once sent, the outcome is waited for. A transaction in which a statement failed
    /// cannot be committed; whoever passed over that failure is told it now.
    func commit() async throws {
        let state = state.withLock { state in
            state.ended = true
            return state
        }
        guard state.publishes, let (hook, isAlone) = database.beginPublishing() else {
            _ = try await commit(state, state.deferred)
            return
        }
        defer { database.endPublishing() }
        let results = try await commit(state, state.deferred + (isAlone ? [hook.statement] : []))
        hook.committed(isAlone ? results.last?.rows ?? [] : [])
    }

    private func commit(_ state: State, _ statements: [SQL]) async throws -> [QueryResult] {
        guard let results = try await lease.commit(statements) else {
            throw state.failure ?? StoreError.transactionEnded
        }
        for hook in state.hooks { hook() }
        return results
    }

    /// Gives the connection back; it is used again only after the server has confirmed the rollback.
    func rollBack() {
        state.withLock { $0.ended = true }
        lease.rollBack()
    }
}
