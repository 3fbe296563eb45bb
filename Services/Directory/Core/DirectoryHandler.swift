package import Numbering
package import Observability
import RPC
package import Store
import Wire

/// `bellwire.directory.v1.Directory`: stateless, all truth is in the tables of schema `directory`.
package struct DirectoryHandler: DirectoryV1.DirectoryService {
    let database: Database
    let logger: Logger
    let defaultRegion: Region?

    /// - Parameter defaultRegion: of accounts that name none, and of look-ups without one.
    package init(database: Database, defaultRegion: Region?, logger: Logger) {
        self.database = database
        self.defaultRegion = defaultRegion
        self.logger = logger
    }
}
