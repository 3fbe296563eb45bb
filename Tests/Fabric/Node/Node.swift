import Bus
import Observability
import RPC
import Runtime
import Store

/// What a service process has of the fabric, with short times.
struct Node: Sendable {
    let name: String
    let folder: String
    let database: Database
    let membership: Membership
    let bus: EventBus
    let logger: Logger

    /// Waits for PostgreSQL, and for a predecessor's name, as long as it takes; nil when it shall end meanwhile.
    static func start(
        _ name: String, url: String, folder: String, slots: Bool, stop: StopRequest
    ) async throws -> Node? {
        let logger = Logger(service: Fabric.service, instance: name, level: .warning)
        let configuration = DatabaseConfiguration(
            url: url, role: "bellwire_\(Fabric.service)", connections: 6, patience: .seconds(1), applicationName: name)
        while true {
            let database = Database(configuration, logger: logger)
            let membership = Membership(
                database: database, endpoint: Fabric.endpoint(name, in: folder), slots: slots, runDirectory: folder,
                leaseDuration: Fabric.lease, logger: logger)
            let bus = EventBus(
                database: database, membership: membership, livePath: LivePathOptions(runDirectory: folder),
                logger: logger)
            do {
                try await database.start()
                try await membership.start()
                try await bus.start()
                return Node(
                    name: name, folder: folder, database: database, membership: membership, bus: bus, logger: logger)
            } catch {
                await bus.stop()
                await membership.stop()
                await database.stop()
                if stop.isRequested { return nil }
                try await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    func stop() async {
        await bus.stop()
        await membership.stop()
        await database.stop()
    }

    /// A file of this node's own that its successors go on with.
    func file(_ what: String) throws -> LineFile { try LineFile(path: "\(folder)/\(name).\(what)") }
}
