import Bus
import Domain
import Foundation
import Observability
import RPC
import Store
import TestSupport
import Testing

/// One instance as a service process has it. `crash` ends it as SIGKILL does: its connections break, nothing is given
/// back, its lock is free.
struct Instance: Sendable {
    let database: Database
    let membership: Membership
    let bus: EventBus
    let counters: Counters

    static func make(
        _ name: String, url: String, service: String = "calls", slots: Bool = true, directory: String? = nil,
        lease: Duration = .seconds(1), handler: (any SlotHandler)? = nil, retention: Duration = .seconds(3600),
        trimPeriod: Duration = .seconds(60), cursorPeriod: Duration = .seconds(30),
        patience: Duration = .seconds(2), livePath: LivePathOptions? = nil, pollPeriod: Duration? = nil,
        logger: Logger = TestPostgres.quiet
    ) async throws -> Instance {
        let counters = Counters()
        var configuration = DatabaseConfiguration(
            url: url, role: "bellwire_\(service)", connections: 6, patience: patience)
        configuration.applicationName = name
        let database = Database(configuration, logger: TestPostgres.quiet)
        let endpoint = Endpoint(service: service, instance: name, address: "ipc:///nowhere/\(name)")
        let membership = Membership(
            database: database, endpoint: endpoint, slots: slots, runDirectory: directory, leaseDuration: lease,
            logger: TestPostgres.quiet, counters: counters)
        if let handler { membership.setSlotHandler(handler) }
        let bus = EventBus(
            database: database, membership: membership,
            livePath: livePath ?? directory.map { LivePathOptions(runDirectory: $0) }, retention: retention,
            trimPeriod: trimPeriod, cursorPeriod: cursorPeriod, pollPeriod: pollPeriod, logger: logger,
            counters: counters)
        do {
            try await database.start()
            try await membership.start()
            try await bus.start()
        } catch {
            await database.stop()
            await membership.stop()
            throw error
        }
        return Instance(database: database, membership: membership, bus: bus, counters: counters)
    }

    func stop() async {
        await bus.stop()
        await membership.stop()
        await database.stop()
    }

    func crash() async {
        await database.stop()
        await bus.stop()
        await membership.stop()
    }
}

/// Waits until something holds, looking again and again; fails after the limit.
func eventually(
    within limit: Duration = .seconds(20), _ what: Comment, location: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record(what, sourceLocation: location)
            throw CancellationError()
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// A run directory that is removed with the last reference.
final class TemporaryDirectory: Sendable {
    let path: String
    init() throws {
        path = "/tmp/bellwire-bus-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Does as the owner of everything.
@discardableResult
func asOwner<Value: Sendable>(_ url: String, _ body: (Database) async throws -> Value) async throws -> Value {
    let database = Database(DatabaseConfiguration(url: url, connections: 2), logger: TestPostgres.quiet)
    try await database.start()
    do {
        let value = try await body(database)
        await database.stop()
        return value
    } catch {
        await database.stop()
        throw error
    }
}

func draft(_ key: String, _ version: Int64, topic: String = "calls") -> EventDraft {
    EventDraft(
        topic: topic, key: key, version: version, owner: "alice", type: "test.Event", payload: [UInt8(version & 255)])
}
