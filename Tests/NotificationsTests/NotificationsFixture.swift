import Bus
import Domain
import NotificationsCore
import Observability
import RPC
import Store
import TestSupport
import Wire
import WireFormat

/// Instances of the service on one database, each with a bus of its own.
struct NotificationsFixture {
    struct Instance {
        let client: NotificationsV1.NotificationsClient
        private let membership: Membership
        private let bus: EventBus
        fileprivate let database: Database

        fileprivate init(url: String, name: String) async throws {
            database = Database(
                DatabaseConfiguration(url: url, role: "bellwire_notifications", connections: 4),
                logger: TestPostgres.quiet)
            membership = Membership(
                database: database,
                endpoint: Endpoint(service: "notifications", instance: name, address: "ipc:///nowhere/\(name)"),
                slots: false, runDirectory: nil, leaseDuration: .seconds(2), logger: TestPostgres.quiet)
            bus = EventBus(database: database, membership: membership, livePath: nil, logger: TestPostgres.quiet)
            let directory = InProcessChannel(caller: "notifications/test", handlers: [DirectoryStub()])
            let handler = NotificationsHandler(
                database: database, directory: DirectoryV1.DirectoryClient(directory), events: bus,
                logger: TestPostgres.quiet, counters: Counters())
            client = NotificationsV1.NotificationsClient(
                InProcessChannel(caller: "operator/test-1", handlers: [handler]))
            try await database.start()
            try await membership.start()
            try await bus.start()
        }

        func stop() async {
            await bus.stop()
            await membership.stop()
            await database.stop()
        }
    }

    let first: Instance
    let second: Instance

    static func run(_ body: (NotificationsFixture) async throws -> Void) async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let fixture = NotificationsFixture(
            first: try await Instance(url: url, name: "notifications-1"),
            second: try await Instance(url: url, name: "notifications-2"))
        do {
            try await body(fixture)
        } catch {
            await fixture.stop()
            throw error
        }
        await fixture.stop()
    }

    private func stop() async {
        await first.stop()
        await second.stop()
    }

    /// A change of a record of that owner, as `records` publishes it.
    @discardableResult
    func publishRecord(owner: String, version: Int64 = 1, padding: Int = 0) async throws -> String {
        var record = RecordsV1.CallRecord()
        record.id = BellwireID.make().description
        record.owner = owner
        record.version = UInt64(version)
        record.remotePhoneNumber = String(repeating: "0", count: padding)
        var event = RecordsV1.CallRecordEvent()
        event.record = record
        let draft = EventDraft(
            topic: "records", key: record.id, version: version, owner: owner,
            type: RecordsV1.CallRecordEvent.messageName, payload: event.wireBytes())
        try await first.database.transaction { try await $0.publish(draft) }
        return record.id
    }

    /// Returns once the log has the event of that key: who subscribes from now on does not hear it.
    func waitUntilLogged(_ key: String) async throws {
        var request = NotificationsV1.TailEventsRequest()
        request.after = "start"
        for try await event in second.client.tailEvents(request) where event.key == key { return }
    }

    func addDevice(user: String, kind: String, created: String) async throws -> String {
        let id = BellwireID.make()
        try await first.database.execute(
            """
            INSERT INTO notifications.device (user_id, id, kind, created)
            VALUES (\(user)::uuid, \(id), \(kind)::text, \(created)::timestamptz)
            """)
        return id.description
    }
}

extension NotificationsV1.Update {
    var recordID: String? {
        if case .record(let event) = change { event.record?.id } else { nil }
    }
}
