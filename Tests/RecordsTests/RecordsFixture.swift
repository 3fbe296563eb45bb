import Domain
import Observability
import RPC
import RecordsCore
import Store
import TestSupport
import Wire
import WireFormat

/// The service on a database of its own: events come in as from the log, requests through its stubs.
struct RecordsFixture {
    let database: Database
    let client: RecordsV1.RecordsClient
    private let consumer = RecordConsumer(logger: TestPostgres.quiet, counters: Counters())

    /// As the service's own role: what it is not granted, fails.
    static func run(_ body: (RecordsFixture) async throws -> Void) async throws {
        let configuration = DatabaseConfiguration(
            url: try await TestPostgres.shared.makeDatabase(), role: "bellwire_records", connections: 5)
        let database = Database(configuration, logger: TestPostgres.quiet)
        try await database.start()
        let channel = InProcessChannel(caller: "operator/test-1", handlers: [RecordsHandler(database: database)])
        do {
            try await body(RecordsFixture(database: database, client: RecordsV1.RecordsClient(channel)))
        } catch {
            await database.stop()
            throw error
        }
        await database.stop()
    }

    func consume(_ call: CallsV1.Call) async throws {
        var event = CallsV1.CallEvent()
        event.call = call
        try await consume(CallsV1.CallEvent.messageName, event.wireBytes())
    }

    func consume(_ voicemail: VoicemailV1.Voicemail, deleted: Bool = false) async throws {
        var event = VoicemailV1.VoicemailEvent()
        event.voicemail = voicemail
        event.deleted = deleted
        try await consume(VoicemailV1.VoicemailEvent.messageName, event.wireBytes())
    }

    func consume(_ type: String, _ payload: [UInt8]) async throws {
        try await database.transaction { try await consumer.apply(type, payload, $0) }
    }

    /// What was published, oldest first.
    func events() async throws -> [RecordsV1.CallRecordEvent] {
        try await database.query("SELECT * FROM events.outbox ORDER BY id").map { row in
            let event = try RecordsV1.CallRecordEvent(wireBytes: try row.bytes("payload"))
            guard try row.string("topic") == "records", try row.string("key") == event.record?.id,
                try row.string("owner") == event.record?.owner,
                try row.int64("version") == event.record.map({ Int64($0.version) })
            else { throw RPCError(.internal, "the outbox row does not fit its payload") }
            return event
        }
    }

    func get(_ id: String, owner: String = "") async throws -> RecordsV1.CallRecord {
        var request = RecordsV1.GetCallRecordRequest()
        request.id = id
        request.owner = owner
        return try await client.getCallRecord(request)
    }

    func delete(_ id: String, owner: String = "") async throws {
        var request = RecordsV1.DeleteCallRecordRequest()
        request.id = id
        request.owner = owner
        _ = try await client.deleteCallRecord(request)
    }

    func list(
        owner: String = "", number: String = "", limit: UInt32 = 0, after: String = ""
    ) async throws -> RecordsV1.ListCallRecordsResponse {
        var request = RecordsV1.ListCallRecordsRequest()
        request.owner = owner
        request.localPhoneNumber = number
        request.limit = limit
        request.after = after
        return try await client.listCallRecords(request)
    }
}

/// The status that `body` is refused with; nil when it is not.
func refusal(_ body: () async throws -> Void) async -> StatusCode? {
    do {
        try await body()
        return nil
    } catch let error as RPCError {
        return error.code
    } catch {
        return .unknown
    }
}
