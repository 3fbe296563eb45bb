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

    package func write(_ write: CallWrite, under lease: SlotLease) async throws {
        try await database.transaction { transaction in
            try await transaction.fence(lease)
            switch write {
            case .create(let facts, let origin, let progress):
                guard try await create(facts, origin, progress, in: transaction) else { return }
                try await publish(facts, progress, instance: origin.instance, in: transaction)
            case .advance(let facts, let progress, let continuation, let instance):
                guard try await advance(facts, progress, continuation, in: transaction) else { return }
                try await publish(facts, progress, instance: instance, in: transaction)
            case .keep(let facts, let continuation):
                try await transaction.execute(
                    """
                    UPDATE calls.call SET continuation = \(try json(continuation))::jsonb
                    WHERE account_id = \(facts.accountID) AND id = \(facts.id) AND ended IS NULL
                    """)
            }
        }
    }

    /// False when the call is there already.
    private func create(
        _ facts: CallFacts, _ origin: CallOrigin, _ progress: CallProgress, in transaction: Transaction
    ) async throws -> Bool {
        let caller = facts.caller
        let callee = facts.callee
        return try await transaction.execute(
            """
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
            ON CONFLICT DO NOTHING
            """) == 1
    }

    /// False when the version before is not the one that is there.
    private func advance(
        _ facts: CallFacts, _ progress: CallProgress, _ continuation: CallContinuation?, in transaction: Transaction
    ) async throws -> Bool {
        let ended = progress.ended?.storeTime
        let kept = ended == nil ? try continuation.map(json) : nil
        return try await transaction.execute(
            """
            UPDATE calls.call
            SET version = \(progress.version), state = \(progress.state), updated = \(progress.updated.storeTime),
                ringing = \(progress.ringing?.storeTime), answered = \(progress.answered?.storeTime),
                ended = \(ended), termination_reason = \(progress.termination?.reason),
                termination_side = \(progress.termination?.side), diverted = \(progress.divertedToVoicemail),
                invite = CASE WHEN \(ended != nil) THEN NULL ELSE invite END,
                relay = CASE WHEN \(ended != nil) THEN NULL ELSE relay END,
                continuation = \(kept)::jsonb
            WHERE account_id = \(facts.accountID) AND id = \(facts.id)
                AND version = \(progress.version - 1)
            """) == 1
    }

    private func publish(
        _ facts: CallFacts, _ progress: CallProgress, instance: String, in transaction: Transaction
    ) async throws {
        var event = CallsV1.CallEvent()
        event.call = CallsV1.Call(facts, progress, instance: instance)
        try await transaction.publish(
            EventDraft(
                topic: "calls", key: facts.id.description, version: Int64(progress.version),
                owner: facts.ownerID, type: CallsV1.CallEvent.messageName, payload: event.wireBytes()))
    }

    private func json(_ continuation: CallContinuation) throws -> String {
        String(decoding: try JSONEncoder().encode(continuation), as: UTF8.self)
    }
}

extension String {
    fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}
