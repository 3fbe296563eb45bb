public import Observability

/// Why the store refused. Never carries values of a statement: an SQLSTATE, the name of a constraint or column at most.
public enum StoreError: Error, Sendable, Equatable {
    public enum ConstraintKind: String, Sendable {
        case unique, foreignKey, check, notNull, exclusion
    }

    /// No connection could be had in time; nothing was sent.
    case unreachable
    /// The connection was lost or went silent after the statement was sent: it may or may not have happened.
    case connectionLost
    /// The queue for connections is full, or waiting took longer than `DatabaseConfiguration.patience`; nothing was sent.
    case overloaded
    /// The server has no connection left for us (SQLSTATE 53300).
    case tooManyConnections
    /// The server is older than PostgreSQL 15.
    case serverTooOld(version: Int)
    /// The server refused the log-in: wrong password, unknown role or database.
    case notAuthorized(state: String)
    case constraint(name: String, kind: ConstraintKind)
    /// Whoever wrote named a lease that another instance has taken over.
    case staleEpoch
    /// The role may not touch that object (SQLSTATE 42501).
    case permissionDenied
    /// A deadlock or serialization failure: the whole transaction may be tried again.
    case conflict
    /// The statement ran longer than it may, or was cancelled by the server.
    case timedOut
    /// The transaction has ended: by commit, rollback, or loss of its connection.
    case transactionEnded
    /// The row has no such column, or its value is not of the type asked for.
    case column(String)
    /// `database` has been stopped.
    case stopped
    /// Anything else that the server said.
    case sql(state: String)
}

extension StoreError {
    /// The class of what PostgreSQL reported.
    init(state: String, constraint: String?) {
        func violated(_ kind: ConstraintKind) -> StoreError { .constraint(name: constraint ?? "", kind: kind) }
        switch state {
        case "23505": self = violated(.unique)
        case "23503": self = violated(.foreignKey)
        case "23514": self = violated(.check)
        case "23502": self = violated(.notNull)
        case "23P01": self = violated(.exclusion)
        case StoreError.staleEpochState: self = .staleEpoch
        case "42501": self = .permissionDenied
        case "40001", "40P01": self = .conflict
        case "57014", "55P03": self = .timedOut
        case "53300": self = .tooManyConnections
        case "57P01", "57P02", "57P03", "08000", "08003", "08006", "08001", "25P03": self = .connectionLost
        default: self = .sql(state: state)
        }
    }

    /// The SQLSTATE that `cluster.fence` raises.
    static let staleEpochState = "BW001"

    /// Worth trying again later as it is: nothing is wrong with the statement itself.
    public var isTransient: Bool {
        switch self {
        case .unreachable, .connectionLost, .overloaded, .tooManyConnections, .conflict, .timedOut: true
        default: false
        }
    }
}

extension StoreError: DescribedInLogs {
    public var logDescription: String {
        switch self {
        case .constraint(let name, let kind): "constraint \(kind.rawValue) \(name)"
        case .sql(let state): "SQLSTATE \(state)"
        case .notAuthorized(let state): "log-in refused, SQLSTATE \(state)"
        case .serverTooOld(let version): "PostgreSQL \(version / 10000) is too old, 15 is needed"
        case .column(let name): "column \(name)"
        case .unreachable: "unreachable"
        case .connectionLost: "connection lost"
        case .overloaded: "overloaded"
        case .tooManyConnections: "too many connections"
        case .staleEpoch: "stale epoch"
        case .permissionDenied: "permission denied"
        case .conflict: "conflict"
        case .timedOut: "timed out"
        case .transactionEnded: "transaction ended"
        case .stopped: "stopped"
        }
    }
}
