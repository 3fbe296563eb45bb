package import Bus
import Domain
package import Observability
package import Store
import Wire
import WireFormat

/// Turns events of topics `calls` and `voicemails` into call records. One group, whose work commits with its cursor.
package struct RecordConsumer: Sendable {
    package static let group = "records"
    package static let topics: Set<String> = ["calls", "voicemails"]

    private let logger: Logger
    private let malformed: Counter

    package init(logger: Logger, counters: Counters) {
        self.logger = logger
        malformed = counters.counter("records_malformed_events_total")
    }

    /// Applies one event. What cannot be read is counted, told and passed over: it would not become readable, and the
    /// events behind it must not wait. Everything else that fails is thrown, so that the event comes again.
    package func handle(_ event: LoggedEvent, _ transaction: Transaction) async throws {
        do {
            try await apply(event.type, event.payload, transaction)
        } catch let error as MalformedEvent {
            malformed.increment()
            logger.error(
                "malformed event passed over",
                [.topic: .trusted(event.topic), .position: .int(Int(event.position)), .field: .slug(error)])
        }
    }

    /// Applies the payload of an event of that message type; others are none of this group's business.
    package func apply(_ type: String, _ payload: [UInt8], _ transaction: Transaction) async throws {
        switch type {
        case CallsV1.CallEvent.messageName: try await apply(call: decoded(payload), transaction)
        case VoicemailV1.VoicemailEvent.messageName: try await apply(voicemail: decoded(payload), transaction)
        default: break
        }
    }

    private func decoded<Message: WireMessage>(_ payload: [UInt8]) throws(MalformedEvent) -> Message {
        do {
            return try Message(wireBytes: payload)
        } catch {
            throw .message
        }
    }

    private func apply(call event: CallsV1.CallEvent, _ transaction: Transaction) async throws {
        guard let call = event.call else { throw MalformedEvent.message }
        let table = RecordTable(transaction: transaction)
        for side in [CallSide.caller, .callee] {
            guard let view = try CallView(call, side: side) else { continue }
            // A refused call makes no row; it may close one that stands.
            let entry =
                view.leavesRecord
                ? try await table.lock(owner: view.owner, id: view.recordID)
                : try await table.lockIfPresent(owner: view.owner, id: view.recordID)
            guard let old = entry else { continue }
            var new = old
            new.apply(view)
            try await table.save(new, over: old)
        }
    }

    private func apply(voicemail event: VoicemailV1.VoicemailEvent, _ transaction: Transaction) async throws {
        guard let (owner, recordID, voicemail) = try VoicemailReference.read(event) else { return }
        let table = RecordTable(transaction: transaction)
        let old = try await table.lock(owner: owner, id: recordID)
        var new = old
        new.apply(voicemail)
        try await table.save(new, over: old)
    }
}
