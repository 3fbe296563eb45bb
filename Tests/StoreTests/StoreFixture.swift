import Observability
import Store
import TestSupport

/// Runs `body` with a started database, and stops it.
func withDatabase(
    url: String? = nil, configure: (inout DatabaseConfiguration) -> Void = { _ in },
    counters: Counters = Counters(), _ body: (Database) async throws -> Void
) async throws {
    var address = url
    if address == nil { address = try await TestPostgres.shared.makeEmptyDatabase() }
    var configuration = DatabaseConfiguration(url: address!, connections: 4)
    configure(&configuration)
    let database = Database(configuration, logger: TestPostgres.quiet, counters: counters)
    do {
        try await database.start()
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
