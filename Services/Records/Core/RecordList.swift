import Domain
import RPC
import Store

/// A page of call records, newest first, by keyset.
struct RecordList {
    static let defaultLimit = 100
    static let maximumLimit = 500

    /// Nil: every owner's, for the operator.
    let owner: BellwireID?
    let localPhoneNumber: String?
    private let limit: Int
    private let before: PageToken
    private let scope: String

    /// Before which the first page begins: later than any record.
    private static let newest = PageToken(
        microseconds: 253_402_300_799_000_000, id: BellwireID("ffffffff-ffff-ffff-ffff-ffffffffffff")!)

    /// - Parameter limit: 0 is 100; more than 500 is 500.
    init(owner: BellwireID?, localPhoneNumber: String?, limit: UInt32, after token: String) throws(RPCError) {
        self.owner = owner
        self.localPhoneNumber = localPhoneNumber
        self.limit = limit == 0 ? RecordList.defaultLimit : min(Int(limit), RecordList.maximumLimit)
        scope = "records/\(owner?.description ?? "")/\(localPhoneNumber ?? "")"
        guard !token.isEmpty else {
            before = RecordList.newest
            return
        }
        guard let place = PageToken(token, scope: scope) else {
            throw RPCError(.invalidArgument, "after: not a token of this listing")
        }
        before = place
    }

    /// The page, and the token of the next; empty after the last.
    func read(_ database: Database) async throws -> (records: [StoredRecord], next: String) {
        let ofOwner: SQL = owner.map { "r.owner = \($0) AND" } ?? ""
        let ofNumber: SQL = localPhoneNumber.map { "r.local_phone_number = \($0)::text AND" } ?? ""
        let rows = try await database.query(
            """
            \(StoredRecord.select) WHERE \(ofOwner) \(ofNumber) r.state <> 'unknown' AND r.deleted IS NULL
                AND (r.created, r.id) < (\(StoreTime(microseconds: before.microseconds))::timestamptz, \(before.id)::uuid)
            ORDER BY r.created DESC, r.id DESC LIMIT \(limit + 1)
            """)
        let records = try rows.prefix(limit).map(StoredRecord.init(row:))
        guard rows.count > limit, let last = records.last?.record else { return (records, "") }
        return (records, PageToken(microseconds: last.created.microseconds, id: last.id).text(scope: scope))
    }
}
