import Bus
import Domain
import Observability
import RPC
import RecordsCore
import Store
import TestSupport
import Testing
import Wire
import WireFormat

/// Two instances that share the work of one log.
@Suite struct RecordPipelineTests {
    private struct Instance {
        let database: Database
        let bus: EventBus
        private let membership: Membership
        private let group: ConsumerGroup

        init(url: String, name: String) async throws {
            database = Database(
                DatabaseConfiguration(url: url, role: "bellwire_records", connections: 8),
                logger: TestPostgres.quiet)
            membership = Membership(
                database: database,
                endpoint: Endpoint(service: "records", instance: name, address: "ipc:///nowhere/\(name)"),
                slots: false, runDirectory: nil, leaseDuration: .seconds(1), logger: TestPostgres.quiet)
            bus = EventBus(database: database, membership: membership, livePath: nil, logger: TestPostgres.quiet)
            let consumer = RecordConsumer(logger: TestPostgres.quiet, counters: Counters())
            group = bus.consume(
                group: RecordConsumer.group, topics: RecordConsumer.topics, handler: consumer.handle)
            try await database.start()
            try await membership.start()
            try await bus.start()
            try await group.start()
        }

        func stop() async {
            await group.stop()
            await bus.stop()
            await membership.stop()
            await database.stop()
        }

        func publish(_ call: CallsV1.Call) async throws {
            var event = CallsV1.CallEvent()
            event.call = call
            try await publish("calls", call.id, Int64(call.version), CallsV1.CallEvent.messageName, event.wireBytes())
        }

        func publish(_ voicemail: VoicemailV1.Voicemail) async throws {
            var event = VoicemailV1.VoicemailEvent()
            event.voicemail = voicemail
            try await publish(
                "voicemails", voicemail.id, 1, VoicemailV1.VoicemailEvent.messageName, event.wireBytes())
        }

        private func publish(
            _ topic: String, _ key: String, _ version: Int64, _ type: String, _ payload: [UInt8]
        ) async throws {
            let draft = EventDraft(topic: topic, key: key, version: version, owner: "", type: type, payload: payload)
            try await database.transaction { try await $0.publish(draft) }
        }
    }

    @Test("Many calls at once, an instance leaving meanwhile: every record is told completely, once, in order")
    func manyCalls() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let staying = try await Instance(url: url, name: "records-1")
        let leaving = try await Instance(url: url, name: "records-2")
        let calls = (0..<24).map { _ in WireCall.inbound(owner: BellwireID.make().description) }
        let start = try await EventLog.start(in: staying.database)

        try await withThrowingTaskGroup(of: Void.self) { group in
            for call in calls {
                group.addTask {
                    try await staying.publish(call)
                    let ringing = call.at(.ringing)
                    try await staying.publish(ringing)
                    try await staying.publish(ringing)
                    try await staying.publish(WireCall.voicemail(in: call))
                    try await staying.publish(ringing.at(.unanswered, because: .noAnswer))
                }
            }
            group.addTask { await leaving.stop() }
            try await group.waitForAll()
        }

        var told: [String: [RecordsV1.CallRecord]] = [:]
        var complete = 0
        for try await element in staying.bus.subscribe(after: start, topics: ["records"]) {
            guard case .event(let event) = element else { continue }
            let record = try #require(try RecordsV1.CallRecordEvent(wireBytes: event.payload).record)
            told[record.id, default: []].append(record)
            if record.state == .unanswered, record.voicemail != nil { complete += 1 }
            if complete == calls.count { break }
        }
        for call in calls {
            let history = told[call.callee?.recordID ?? ""] ?? []
            #expect(history.map(\.version) == Array(1...UInt64(max(history.count, 1))))
            // The voicemail comes from another partition: it may be there before any of the states.
            #expect((3...4).contains(history.count))
            let states = history.map(\.state.rawValue)
            #expect(states == states.sorted())
        }
        #expect(told.count == calls.count)
        await staying.stop()
    }
}
