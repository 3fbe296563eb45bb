public import Observability
import Runtime

/// Brings a database to the schema that this binary knows: `Migrations/NNNN_name.sql`, in order, once each.
public enum Migrator {
    /// Applies what is missing, each file in a transaction of its own, under a lock: two that migrate at once do not
    /// disturb each other.
    ///
    /// - Parameter url: logs in as the owner of everything, who may create roles (0001 does).
    /// - Returns: the names of the migrations that were applied now.
    /// - Throws: `MigrationError`, `StoreError`.
    @discardableResult
    public static func migrate(url: String, logger: Logger) async throws -> [String] {
        try await migrate(url: url, migrations: Migration.bundled(), logger: logger)
    }

    /// Refuses a database whose schema is not the one that this binary knows.
    ///
    /// - Throws: `MigrationError`, `StoreError`.
    public static func check(_ database: Database) async throws {
        let known = try Migration.bundled().last?.number ?? 0
        let rows: [Row]
        do {
            rows = try await database.query("SELECT coalesce(max(number), 0) AS applied FROM cluster.migration")
        } catch StoreError.sql(state: "42P01"), StoreError.sql(state: "3F000"), StoreError.permissionDenied {
            throw MigrationError.databaseIsOlder(applied: 0, known: known)
        }
        let applied = try rows[0].int("applied")
        if applied < known { throw MigrationError.databaseIsOlder(applied: applied, known: known) }
        if applied > known { throw MigrationError.databaseIsNewer(applied: applied, known: known) }
    }

    package static func migrate(url: String, migrations: [Migration], logger: Logger) async throws -> [String] {
        for (before, migration) in zip(migrations, migrations.dropFirst()) where migration.number <= before.number {
            throw MigrationError.misnumbered(migration.name)
        }
        let done = Promise<[String]>()
        // Plain blocking libpq, so on a thread that is not Swift's.
        let thread = try LoopThread(name: "migrate") {
            done.complete(Result { try apply(migrations, url: url, logger: logger) })
        }
        defer { thread.join() }
        return try await done.valueDespiteCancellation()
    }

    private static func apply(_ migrations: [Migration], url: String, logger: Logger) throws -> [String] {
        let session = try MigrationSession(url: url)
        try session.run("SET lock_timeout = '60s'")
        try session.run("SELECT pg_advisory_lock(\(lock))")
        try session.run(
            """
            DO $$ BEGIN
                IF to_regclass('cluster.migration') IS NULL THEN
                    CREATE SCHEMA IF NOT EXISTS cluster;
                    CREATE TABLE cluster.migration (
                        number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
                        applied timestamptz NOT NULL DEFAULT now());
                END IF;
            END $$
            """)
        let known = try session.rows("SELECT number::text, checksum FROM cluster.migration ORDER BY number")
        let latest = known.last.flatMap { Int($0[0]) } ?? 0
        let newest = migrations.last?.number ?? 0
        if latest > newest { throw MigrationError.databaseIsNewer(applied: latest, known: newest) }
        let checksums = Dictionary(uniqueKeysWithValues: known.map { ($0[0], $0[1]) })
        var applied: [String] = []
        for migration in migrations {
            let checksum = try session.rows("SELECT encode(sha256(convert_to($1, 'UTF8')), 'hex')", [migration.text])
            if let before = checksums[String(migration.number)] {
                guard before == checksum[0][0] else { throw MigrationError.changed(migration.name) }
                continue
            }
            guard migration.number > latest else { throw MigrationError.misnumbered(migration.name) }
            try session.run("BEGIN")
            do {
                try session.runFile(migration)
                _ = try session.rows(
                    "INSERT INTO cluster.migration (number, name, checksum) VALUES ($1::text::integer, $2, $3)",
                    [String(migration.number), migration.name, checksum[0][0]])
                try session.run("COMMIT")
            } catch {
                try? session.run("ROLLBACK")
                throw error
            }
            applied.append(migration.name)
            logger.notice("migrated", [.migration: .trusted(migration.name)])
        }
        return applied
    }

    /// "bellwire" as a number.
    private static let lock: Int64 = 0x6265_6C6C_7769_7265
}
