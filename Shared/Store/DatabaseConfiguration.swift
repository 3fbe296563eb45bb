/// Where PostgreSQL is and how it is used.
public struct DatabaseConfiguration: Sendable {
    /// A libpq URL or connection string: `postgresql:///bellwire?host=/run/bellwire`.
    public var url: String
    /// The role that statements run as; nil keeps the one that logged in.
    public var role: String?
    /// All connections, 2 at least: a quarter is shared by single statements, the rest is lent to transactions.
    public var connections: Int
    /// How many may wait for a connection; more are refused with `StoreError.overloaded`.
    public var waitLimit: Int
    /// How long one waits for a connection. While PostgreSQL is away that ends in `StoreError.unreachable`.
    public var patience: Duration
    /// The server ends a statement that runs longer.
    public var statementTimeout: Duration
    /// The server ends a transaction that does nothing for so long: a paused process must not hold locks.
    public var idleTransactionTimeout: Duration
    /// Shown by `pg_stat_activity`.
    public var applicationName: String

    public init(
        url: String, role: String? = nil, connections: Int = 8, waitLimit: Int = 10_000,
        patience: Duration = .seconds(2), statementTimeout: Duration = .seconds(10),
        idleTransactionTimeout: Duration = .seconds(3), applicationName: String = "bellwire"
    ) {
        self.url = url
        self.role = role
        self.connections = max(2, connections)
        self.waitLimit = waitLimit
        self.patience = patience
        self.statementTimeout = statementTimeout
        self.idleTransactionTimeout = idleTransactionTimeout
        self.applicationName = applicationName
    }
}
