package import Domain
import Store

extension PostgresCallStorage {
    /// Calls that a listing asks for.
    package struct Listing: Sendable {
        /// Nil: of every account.
        package var accountID: BellwireID?
        /// Only those that have not ended.
        package var isLive = false
        package var limit: Int
        /// The last one of the page before.
        package var after: (created: Moment, id: BellwireID)?

        package init(
            accountID: BellwireID? = nil, isLive: Bool = false, limit: Int,
            after: (created: Moment, id: BellwireID)? = nil
        ) {
            self.accountID = accountID
            self.isLive = isLive
            self.limit = limit
            self.after = after
        }
    }

    /// Nil when there is no such call.
    package func call(_ id: BellwireID) async throws -> StoredCall? {
        try await database.query("SELECT \(StoredCall.columns) FROM calls.call WHERE id = \(id)").first.map(
            StoredCall.init)
    }

    /// Newest first.
    package func calls(_ listing: Listing) async throws -> [StoredCall] {
        let account: SQL = listing.accountID.map { "account_id = \($0)" } ?? "true"
        let live: SQL = listing.isLive ? "ended IS NULL" : "true"
        let after: SQL =
            listing.after.map { "(created, id) < (\($0.created.storeTime), \($0.id))" } ?? "true"
        return try await database.query(
            """
            SELECT \(StoredCall.columns) FROM calls.call
            WHERE \(account) AND \(live) AND \(after)
            ORDER BY created DESC, id DESC LIMIT \(listing.limit)
            """
        ).map(StoredCall.init)
    }

    /// The calls of a slot that have not ended, oldest first, a page at a time.
    package func liveCalls(slot: Int, after: (created: Moment, id: BellwireID)?, limit: Int) async throws
        -> [StoredCall]
    {
        let after: SQL = after.map { "(created, id) > (\($0.created.storeTime), \($0.id))" } ?? "true"
        return try await database.query(
            """
            SELECT \(StoredCall.columns), invite, continuation::text AS continuation FROM calls.call
            WHERE slot = \(slot) AND ended IS NULL AND \(after)
            ORDER BY created, id LIMIT \(limit)
            """
        ).map { row in
            var call = try StoredCall(row)
            try call.readContinuation(row)
            return call
        }
    }
}
