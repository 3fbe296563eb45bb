public import Observability

/// Why a database was not brought up to date.
public enum MigrationError: Error, Sendable, Equatable {
    /// The folder of SQL files does not lie beside the executable.
    case filesMissing
    /// A file's name is not `NNNN_name.sql`.
    case misnamed(String)
    /// Numbers must rise, and a new file may not go before one that this database has.
    case misnumbered(String)
    /// The file was edited after it had been applied to this database.
    case changed(String)
    /// The database was migrated by a later version of the program.
    case databaseIsNewer(applied: Int, known: Int)
    /// The database still has to be migrated.
    case databaseIsOlder(applied: Int, known: Int)
    /// PostgreSQL refused a statement; nothing of this file was applied. The line is within the file, 0 if unknown.
    case failed(String, state: String, line: Int)
}

extension MigrationError: DescribedInLogs, CustomStringConvertible {
    public var description: String {
        switch self {
        case .filesMissing: "the migrations do not lie beside the executable (bellwire_Store.resources)"
        case .misnamed(let name): "migration \(name) is not named NNNN_name.sql"
        case .misnumbered(let name): "migration \(name) does not come behind those before it"
        case .changed(let name): "migration \(name) was changed after it had been applied to this database"
        case .databaseIsNewer(let applied, let known):
            "the database is at migration \(applied), this program knows \(known): run a later version"
        case .databaseIsOlder(let applied, let known):
            "the database is at migration \(applied), this program needs \(known): run bellwire migrate"
        case .failed(let name, let state, let line):
            "migration \(name) was refused at line \(line), SQLSTATE \(state)"
        }
    }

    public var logDescription: String { description }
}
