import Foundation

/// Where PostgreSQL's server programs are: Debian keeps them off the search path, one folder a major version.
package struct PostgresPrograms: Sendable, Equatable {
    package let folder: String
    package let version: Int

    package static let oldest = 15

    package var initdb: String { folder + "/initdb" }
    package var postgres: String { folder + "/postgres" }

    /// - Parameter cluster: the major version of an existing cluster, which only the same version can open; nil: the newest.
    package static func find(cluster: Int?, root: String = "/usr/lib/postgresql") throws(StartFailure)
        -> PostgresPrograms
    {
        let files = FileManager.default
        let found = ((try? files.contentsOfDirectory(atPath: root)) ?? [])
            .compactMap { Int($0) }
            .filter { files.isExecutableFile(atPath: "\(root)/\($0)/bin/postgres") }
            .filter { files.isExecutableFile(atPath: "\(root)/\($0)/bin/initdb") }
            .map { PostgresPrograms(folder: "\(root)/\($0)/bin", version: $0) }
        if let cluster {
            guard let same = found.first(where: { $0.version == cluster }) else {
                throw StartFailure(
                    description:
                        "the run folder's database is of PostgreSQL \(cluster), which is not installed under \(root)")
            }
            return same
        }
        guard let newest = found.filter({ $0.version >= oldest }).max(by: { $0.version < $1.version }) else {
            throw StartFailure(
                description:
                    "no PostgreSQL \(oldest) or newer under \(root): run `make bootstrap`, or set BELLWIRE_DATABASE_URL"
            )
        }
        return newest
    }
}
