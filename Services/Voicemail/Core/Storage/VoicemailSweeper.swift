package import Observability
package import Store
import Synchronization

/// Removes what is kept for a while only: released audio, finished recordings' rows, deleted records' ids.
package struct VoicemailSweeper: Sendable {
    private let database: Database
    private let released: ReleasedMedia
    private let logger: Logger

    package init(database: Database, store: any MediaStore, logger: Logger) {
        self.database = database
        self.logger = logger
        released = ReleasedMedia(database: database, store: store)
    }

    package func sweep() async {
        do {
            try await released.sweep()
            try await database.execute(
                "DELETE FROM voicemail.recording WHERE finished < now() - interval '30 days'")
            // A message lasts minutes; a day is ample for one that names a deleted record.
            try await database.execute(
                "DELETE FROM voicemail.deleted_record WHERE deleted < now() - interval '1 day'")
        } catch {
            logger.debug("nothing swept", [.error: .error(error)])
        }
    }
}
