import Observability
import Runtime
import Store

/// The database, waited for: a service that starts before PostgreSQL waits until it is there. One that `bellwire migrate`
/// has not been run on is refused; one that is already newer is not, so that services can be updated one by one.
struct PatientDatabase: Component {
    let name = "database"
    let database: Database
    let logger: Logger
    let stopRequest: StopRequest

    func start() async throws {
        var isReported = false
        while true {
            do {
                try await database.start()
                return try await check()
            } catch StoreError.unreachable where !stopRequest.isRequested {
                if !isReported { logger.warning("waiting for the database") }
                isReported = true
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }

    private func check() async throws {
        do {
            try await Migrator.check(database)
        } catch MigrationError.databaseIsNewer(let applied, let known) {
            logger.notice(
                "the database is newer than this service", [.migration: .int(applied), .version: .int(known)])
        }
    }

    func stop() async {
        await database.stop()
    }
}
