import Observability
import Runtime
import Store

/// The database, waited for: a service that starts before PostgreSQL waits until it is there.
struct PatientDatabase: Component {
    let name = "database"
    let database: Database
    let logger: Logger
    let stopRequest: StopRequest

    func start() async throws {
        var isReported = false
        while true {
            do {
                return try await database.start()
            } catch StoreError.unreachable where !stopRequest.isRequested {
                if !isReported { logger.warning("waiting for the database") }
                isReported = true
                try await Task.sleep(for: .milliseconds(250))
            }
        }
    }

    func stop() async {
        await database.stop()
    }
}
