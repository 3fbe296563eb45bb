package import Bus
import Domain
import FoundationEssentials
package import Store
import Wire
import WireFormat

/// Calls in PostgreSQL's schema `calls`.
package struct PostgresCallStorage: CallStorage {
    let database: Database

    package init(_ database: Database) {
        self.database = database
    }

    /// Nothing is waited for in between: the statements go to the server one behind the other.
    package func write(_ writes: [CallWrite], under lease: SlotLease) async throws {
        let statements = try writes.map(statement)
        try await database.transaction { transaction in
            try await withThrowingTaskGroup { group in
                group.addTask { try await transaction.fence(lease) }
                for statement in statements { group.addTask { try await transaction.execute(statement) } }
                try await group.waitForAll()
            }
            if writes.contains(where: \.isPublished) { transaction.publishes() }
        }
    }

    private func statement(_ write: CallWrite) throws -> SQL {
        switch write {
        case .create(let facts, let origin, let progress):
            publishing(facts, progress, instance: origin.instance, after: try creation(facts, origin, progress))
        case .advance(let facts, let progress, let continuation, let instance):
            publishing(facts, progress, instance: instance, after: try advance(facts, progress, continuation))
        case .keep(let facts, let continuation):
            """
            UPDATE calls.call SET continuation = \(try json(continuation))::jsonb
            WHERE account_id = \(facts.accountID) AND id = \(facts.id) AND ended IS NULL
            """
        }
    }

    /// The event goes into the outbox when the step did something.
    private func publishing(_ facts: CallFacts, _ progress: CallProgress, instance: String, after step: SQL) -> SQL {
        var event = CallsV1.CallEvent()
        event.call = CallsV1.Call(facts, progress, instance: instance)
        let draft = EventDraft(
            topic: "calls", key: facts.id.description, version: Int64(progress.version), owner: facts.ownerID,
            type: CallsV1.CallEvent.messageName, payload: event.wireBytes())
        return "WITH step AS (\(step)) \(draft.insertion(from: "step"))"
    }

    /// Nothing when the call is there already.
    private func creation(_ facts: CallFacts, _ origin: CallOrigin, _ progress: CallProgress) throws -> SQL {
        let caller = facts.caller
        let callee = facts.callee
        return """
            INSERT INTO calls.call (account_id, id, slot, version, state, created, updated, caller_number,
                caller_withheld, caller_name, caller_account_id, caller_user_id, caller_persona_id, caller_phone_number_id,
                caller_identity, callee_user_id, callee_persona_id, callee_phone_number_id, callee_identity,
                callee_number, minimum_message_seconds, instance, invite, continuation, relay)
            VALUES (\(facts.accountID), \(facts.id), \(facts.id.slot), \(progress.version), \(progress.state),
                \(progress.created.storeTime), \(progress.updated.storeTime), \(caller.number),
                \(caller.isWithheld), \(caller.displayName), \(caller.user?.accountID), \(caller.user?.userID),
                \(caller.user?.personaID.nonEmpty), \(caller.user?.phoneNumberID.nonEmpty),
                \(caller.user?.identity), \(callee.user?.userID), \(callee.user?.personaID.nonEmpty),
                \(callee.user?.phoneNumberID.nonEmpty), \(callee.user?.identity), \(callee.number),
                \(callee.minimumMessageSeconds), \(origin.instance), \(origin.invite),
                \(try json(origin.continuation))::jsonb, \(origin.relay))
            ON CONFLICT DO NOTHING RETURNING 1
            """
    }

    /// Nothing when the version before is not the one that is there.
    private func advance(
        _ facts: CallFacts, _ progress: CallProgress, _ continuation: CallContinuation?
    ) throws -> SQL {
        let ended = progress.ended?.storeTime
        let kept = ended == nil ? try continuation.map(json) : nil
        return """
            UPDATE calls.call
            SET version = \(progress.version), state = \(progress.state), updated = \(progress.updated.storeTime),
                ringing = \(progress.ringing?.storeTime), answered = \(progress.answered?.storeTime),
                ended = \(ended), termination_reason = \(progress.termination?.reason),
                termination_side = \(progress.termination?.side), diverted = \(progress.divertedToVoicemail),
                invite = CASE WHEN \(ended != nil) THEN NULL ELSE invite END,
                relay = CASE WHEN \(ended != nil) THEN NULL ELSE relay END,
                continuation = \(kept)::jsonb
            WHERE account_id = \(facts.accountID) AND id = \(facts.id)
                AND version = \(progress.version - 1) RETURNING 1
            """
    }

    private func json(_ continuation: CallContinuation) throws -> String {
        String(decoding: try JSONEncoder().encode(continuation), as: UTF8.self)
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
