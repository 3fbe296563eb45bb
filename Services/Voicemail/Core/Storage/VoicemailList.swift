import Domain
import RPC
import Store
import Wire

/// A page of voicemails, newest first, by keyset: the token names the last one shown.
struct VoicemailList {
    static let defaultLimit = 50
    static let maximumLimit = 200

    let owner: BellwireID?
    let localPhoneNumber: String?
    let limit: Int
    let after: (created: StoreTime, id: BellwireID)?

    init(_ request: VoicemailV1.ListVoicemailsRequest, owner: BellwireID?) throws(RPCError) {
        self.owner = owner
        localPhoneNumber = request.localPhoneNumber.isEmpty ? nil : request.localPhoneNumber
        limit = request.limit == 0 ? Self.defaultLimit : min(Int(request.limit), Self.maximumLimit)
        guard !request.after.isEmpty else {
            after = nil
            return
        }
        let parts = request.after.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let created = Int64(parts[0]), let id = BellwireID(String(parts[1])) else {
            throw RPCError(.invalidArgument, "after: not a token of a list")
        }
        after = (StoreTime(microseconds: created), id)
    }

    func read(_ database: Database) async throws -> VoicemailV1.ListVoicemailsResponse {
        let ofOwner: SQL = owner.map { "AND owner = \($0)" } ?? ""
        let ofNumber: SQL = localPhoneNumber.map { "AND local_phone_number = \($0)" } ?? ""
        let behind: SQL = after.map { "AND (created, id) < (\($0.created), \($0.id))" } ?? ""
        let rows = try await database.query(
            """
            SELECT \(StoredVoicemail.columns) FROM voicemail.voicemail
            WHERE true \(ofOwner) \(ofNumber) \(behind)
            ORDER BY created DESC, id DESC LIMIT \(limit + 1)
            """)
        let voicemails = try rows.map { try StoredVoicemail(row: $0) }
        var response = VoicemailV1.ListVoicemailsResponse()
        response.voicemails = voicemails.prefix(limit).map(\.wire)
        if voicemails.count > limit {
            let last = voicemails[limit - 1]
            response.next = "\(last.created.microseconds).\(last.id)"
        }
        return response
    }
}
