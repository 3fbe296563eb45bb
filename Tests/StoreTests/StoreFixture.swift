import Observability
import Store
import TestSupport

/// Runs `body` with a started database, and stops it.
func withDatabase(
    url: String? = nil, role: String? = nil, connections: Int = 4, waitLimit: Int = 10_000,
    patience: Duration = .seconds(2), statementTimeout: Duration = .seconds(10),
    idleTransactionTimeout: Duration = .seconds(3), name: String = "bellwire", counters: Counters = Counters(),
    _ body: (Database) async throws -> Void
) async throws {
    var address = url
    if address == nil { address = try await TestPostgres.shared.makeEmptyDatabase() }
    let configuration = DatabaseConfiguration(
        url: address!, role: role, connections: connections, waitLimit: waitLimit, patience: patience,
        statementTimeout: statementTimeout, idleTransactionTimeout: idleTransactionTimeout, applicationName: name)
    let database = Database(configuration, logger: TestPostgres.quiet, counters: counters)
    do {
        try await database.start()
        // What is tested below is never how long connecting takes.
        while value("store_connections", counters) < connections { try await Task.sleep(for: .milliseconds(1)) }
        try await body(database)
    } catch {
        await database.stop()
        throw error
    }
    await database.stop()
}

func value(_ name: String, _ counters: Counters) -> Int {
    counters.snapshot().first { $0.name == name }?.value ?? 0
}
