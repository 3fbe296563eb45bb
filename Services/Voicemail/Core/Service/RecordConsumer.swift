package import Bus
import Domain
package import Observability
package import Store
import Wire
import WireFormat

/// Follows topic `records`: a deleted call record leaves its voicemails, without its id.
package struct RecordConsumer: Sendable {
    package static let group = "voicemail"
    package static let topics: Set<String> = ["records"]

    private let logger: Logger
    private let malformed: Counter

    package init(logger: Logger, counters: Counters) {
        self.logger = logger
        malformed = counters.counter("voicemail_malformed_events_total")
    }

    package func handle(_ event: LoggedEvent, _ transaction: Transaction) async throws {
        try await apply(event.type, event.payload, transaction)
    }

    /// What cannot be read is counted, told and passed over: the events behind it must not wait.
    package func apply(_ type: String, _ payload: [UInt8], _ transaction: Transaction) async throws {
        guard type == RecordsV1.CallRecordEvent.messageName else { return }
        guard let change = try? RecordsV1.CallRecordEvent(wireBytes: payload), let record = change.record,
            let id = BellwireID(record.id), let owner = BellwireID(record.owner)
        else {
            malformed.increment()
            logger.error("malformed event passed over", [.topic: .trusted("records")])
            return
        }
        guard change.deleted else { return }
        try await VoicemailTable(transaction: transaction).forget(recordID: id.description, owner: owner.description)
    }
}
