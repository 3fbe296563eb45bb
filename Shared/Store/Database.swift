public import Observability
public import Runtime
import Synchronization

/// PostgreSQL, asynchronous: a pool of pipelined libpq connections on a thread of their own.
///
/// A task that is cancelled gets `CancellationError` at once. Its statement is taken out of the queue when it has not been
/// sent; when it has, it runs on unseen.
public final class Database: Component {
    public let name = "store"
    public let configuration: DatabaseConfiguration
    let pool: Pool
    private let publishHook = Mutex<PublishHook?>(nil)
    /// Transactions that have published, and are committing.
    private let publishing = Atomic<Int>(0)

    public init(_ configuration: DatabaseConfiguration, logger: Logger, counters: Counters = Counters()) {
        self.configuration = configuration
        pool = Pool(configuration, logger: logger, counters: counters)
    }

    /// Returns as soon as a connection stands.
    ///
    /// A server that is away, too old, full or refuses the log-in is a `StoreError`; the pool goes on trying
    /// all the same, until `stop()`.
    public func start() async throws {
        try await pool.start()
    }

    /// Ends every connection. What waits is refused with `StoreError.stopped`.
    public func stop() async {
        await pool.stop()
    }

    /// The rows of one statement in a transaction of its own. Statements of several tasks run in no particular order.
    public func query(_ sql: SQL) async throws -> [Row] {
        try await pool.run(sql).rows
    }

    /// How many rows the statement touched.
    @discardableResult
    public func execute(_ sql: SQL) async throws -> Int {
        try await pool.run(sql).touched
    }

    /// Runs `body` in a transaction on a connection of its own, and commits. What `body` throws rolls it back and is
    /// thrown on; so does cancellation of the task. It is not retried: `StoreError.conflict` says that it may be.
    ///
    /// Do not wait for anything but this database in `body`: PostgreSQL ends a transaction that idles
    /// (`idleTransactionTimeout`).
    public func transaction<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (Transaction) async throws -> Value
    ) async throws -> Value {
        let transaction = Transaction(database: self, lease: try await pool.lend())
        let value: Value
        do {
            value = try await body(transaction)
            try Task.checkCancellation()
        } catch {
            transaction.rollBack()
            throw error
        }
        try await transaction.commit()
        return value
    }

    /// Whether a connection stands, or was not yet found to be impossible.
    public var isReachable: Bool { pool.isReachable }

    /// For each commit that publishes an event.
    package func setPublishHook(_ hook: PublishHook?) {
        publishHook.withLock { $0 = hook }
    }

    /// The hook, and whether its statement is to be sent: many at a time are moved together, better than one by one. Nil
    /// when there is none; else `endPublishing` follows.
    func beginPublishing() -> (hook: PublishHook, isAlone: Bool)? {
        guard let hook = publishHook.withLock({ $0 }) else { return nil }
        return (hook, publishing.wrappingAdd(1, ordering: .relaxed).newValue == 1)
    }

    func endPublishing() { publishing.wrappingSubtract(1, ordering: .relaxed) }
}
