import Domain
package import RPC
package import Store
package import Wire

/// `bellwire.records.v1.Records`: stateless. A request in a user's name sees that user's records alone; what belongs to
/// others is `notFound`, like what does not exist.
package struct RecordsHandler: RecordsV1.RecordsService {
    private let database: Database

    package init(database: Database) {
        self.database = database
    }

    package func getCallRecord(
        _ request: RecordsV1.GetCallRecordRequest, context: CallContext
    ) async throws -> RecordsV1.CallRecord {
        let id = try recordID(request.id)
        let ofOwner: SQL = try owner(request.owner).map { "r.owner = \($0) AND" } ?? ""
        let rows = try await database.query(
            "\(StoredRecord.select) WHERE \(ofOwner) r.id = \(id) AND r.state <> 'unknown' AND r.deleted IS NULL")
        guard let row = rows.first else { throw missing }
        let stored = try StoredRecord(row: row)
        return stored.record.wire(version: stored.version)
    }

    package func listCallRecords(
        _ request: RecordsV1.ListCallRecordsRequest, context: CallContext
    ) async throws -> RecordsV1.ListCallRecordsResponse {
        let list = try RecordList(
            owner: owner(request.owner), localPhoneNumber: localPhoneNumber(request.localPhoneNumber),
            limit: request.limit, after: request.after)
        let (records, next) = try await list.read(database)
        var response = RecordsV1.ListCallRecordsResponse()
        response.records = records.map { $0.record.wire(version: $0.version) }
        response.next = next
        return response
    }

    package func deleteCallRecord(
        _ request: RecordsV1.DeleteCallRecordRequest, context: CallContext
    ) async throws -> RecordsV1.DeleteCallRecordResponse {
        let id = try recordID(request.id)
        let requester = try owner(request.owner)
        try await database.transaction { transaction in
            let table = RecordTable(transaction: transaction)
            guard let owner = try await ownerOfRecord(id, requester: requester, transaction),
                let old = try await table.lockIfPresent(owner: owner, id: id)
            else { throw missing }
            var new = old
            guard new.delete() != nil else { throw missing }
            try await table.save(new, over: old)
        }
        var response = RecordsV1.DeleteCallRecordResponse()
        response.id = id.description
        return response
    }

    private func ownerOfRecord(
        _ id: BellwireID, requester: BellwireID?, _ transaction: Transaction
    ) async throws -> BellwireID? {
        if let requester { return requester }
        return try await transaction.query("SELECT owner FROM records.call_record WHERE id = \(id)").first?.id("owner")
    }

    private var missing: RPCError { RPCError(.notFound, "no such call record") }

    private func recordID(_ text: String) throws(RPCError) -> BellwireID {
        guard let id = BellwireID(text) else { throw RPCError(.invalidArgument, "id: not an id") }
        return id
    }

    /// Nil: the operator.
    private func owner(_ text: String) throws(RPCError) -> BellwireID? {
        guard !text.isEmpty else { return nil }
        guard let id = BellwireID(text) else { throw RPCError(.invalidArgument, "owner: not a user's id") }
        return id
    }

    /// Nil: any.
    private func localPhoneNumber(_ text: String) throws(RPCError) -> String? {
        guard !text.isEmpty else { return nil }
        guard E164(text) != nil || text.hasPrefix("client:") else {
            throw RPCError(.invalidArgument, "localPhoneNumber: not E.164 with a plus")
        }
        return text
    }
}
