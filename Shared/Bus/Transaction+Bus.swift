public import Store

extension Transaction {
    /// Makes sure that `lease` still holds, until the transaction ends: a takeover waits for it.
    ///
    /// Throws `StoreError.staleEpoch` when another instance has the slot; roll back then and stop acting for it.
    public func fence(_ lease: SlotLease) async throws {
        _ = try await query("SELECT cluster.fence(\(lease.group), \(lease.slot), \(lease.epoch))")
    }

    /// Publishes with the commit; a failure is the commit's. Call it after the row of the event's key has been written.
    public func publish(_ event: EventDraft) async throws {
        try await executeAtCommit(
            """
            INSERT INTO events.outbox (topic, key, version, owner, type, payload)
            VALUES (\(event.topic), \(event.key), \(event.version), \(event.owner), \(event.type), \(event.payload))
            """)
        publishes()
    }
}

extension EventDraft {
    /// Publishes with a statement of its transaction, once for each row of `step`, which is that statement's name as in
    /// `WITH step AS (UPDATE ... RETURNING 1)`. Say `Transaction.publishes()` in the same transaction.
    package func insertion(from step: SQL) -> SQL {
        """
        INSERT INTO events.outbox (topic, key, version, owner, type, payload)
        SELECT \(topic)::text, \(key)::text, \(version)::bigint, \(owner)::text, \(type)::text, \(payload)::bytea
        FROM \(step)
        """
    }
}
