public import Observability

/// Brings a database to the schema that this binary knows: `Migrations/NNNN_name.sql`, in order, once each.
public enum Migrator {
    /// - Returns: the names of the migrations that were applied now.
    /// - Throws: `MigrationError`, `StoreError`.
    @discardableResult
    public static func migrate(url: String, logger: Logger) async throws -> [String] {
        fatalError("to come")
    }
}
