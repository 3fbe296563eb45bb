import Domain
import Numbering
package import RPC
import Store
package import Wire

extension DirectoryHandler {
    package func createTrunk(
        _ request: DirectoryV1.CreateTrunkRequest, context: CallContext
    ) async throws -> DirectoryV1.Trunk {
        let account = try await account(request.account)
        let settings = try TrunkSettings(request, region: Region(account.region))
        do {
            let rows = try await database.query(
                """
                INSERT INTO directory.trunk (account_id, id, name, host, port, transport, username, password,
                    caller_rule, caller_number, prefixes, priority)
                VALUES (\(account.id)::uuid, \(BellwireID.make()), \(settings.name.text), \(settings.host.text),
                    \(settings.port), \(settings.transport), \(settings.username), \(settings.password),
                    \(settings.callerRule), \(settings.callerNumber), \(settings.prefixes)::text[],
                    \(settings.priority)) RETURNING *
                """)
            return try DirectoryV1.Trunk(row: rows.one("trunk"))
        } catch StoreError.constraint("trunk_name", _) {
            throw Refusal.exists("the account has a trunk of this name")
        } catch StoreError.constraint(_, .foreignKey) {
            throw Refusal.missing("account")
        }
    }

    package func getTrunk(
        _ request: DirectoryV1.GetTrunkRequest, context: CallContext
    ) async throws -> DirectoryV1.Trunk {
        try await trunk(request.trunk, account: request.account)
    }

    package func getTrunkCredentials(
        _ request: DirectoryV1.GetTrunkRequest, context: CallContext
    ) async throws -> DirectoryV1.TrunkCredentials {
        let row = try await row(ofTrunk: request.trunk, account: request.account)
        var credentials = DirectoryV1.TrunkCredentials()
        credentials.username = try row.optionalString("username") ?? ""
        credentials.password = try row.optionalString("password") ?? ""
        return credentials
    }

    package func listTrunks(
        _ request: DirectoryV1.ListTrunksRequest, context: CallContext
    ) async throws -> DirectoryV1.ListTrunksResponse {
        let account = request.account.isEmpty ? nil : try await account(request.account)
        let page = try Page(limit: request.limit, after: request.after, scope: "trunks/\(account?.id ?? "")")
        let filter: SQL = account.map { "account_id = \($0.id)::uuid AND" } ?? ""
        let rows = try await database.query(
            "SELECT * FROM directory.trunk WHERE \(filter) id > \(page.after) ORDER BY id LIMIT \(page.fetchLimit)")
        var response = DirectoryV1.ListTrunksResponse()
        (response.trunks, response.next) = page.cut(try rows.map(DirectoryV1.Trunk.init(row:)), id: \.id)
        return response
    }

    /// Calls that go through it go on.
    package func deleteTrunk(
        _ request: DirectoryV1.DeleteTrunkRequest, context: CallContext
    ) async throws -> DirectoryV1.DeleteResponse {
        let trunk = try await trunk(request.trunk, account: request.account)
        let count = try await database.execute(
            "DELETE FROM directory.trunk WHERE account_id = \(trunk.accountID)::uuid AND id = \(trunk.id)::uuid")
        guard count == 1 else { throw Refusal.missing("trunk") }
        return DirectoryV1.DeleteResponse(deleted: trunk.id)
    }

    /// By id, or by name inside an account.
    private func trunk(_ reference: String, account: String) async throws -> DirectoryV1.Trunk {
        try DirectoryV1.Trunk(row: try await row(ofTrunk: reference, account: account))
    }

    private func row(ofTrunk reference: String, account accountReference: String) async throws -> Row {
        guard !reference.isEmpty else { throw Refusal.invalid("trunk: missing; an id, or a name with its account") }
        let rows: [Row]
        if let id = BellwireID(reference) {
            rows = try await database.query("SELECT * FROM directory.trunk WHERE id = \(id)")
        } else {
            guard !accountReference.isEmpty else {
                throw Refusal.invalid("account: missing; a trunk's name is unique inside one only")
            }
            let account = try await account(accountReference)
            rows = try await database.query(
                "SELECT * FROM directory.trunk WHERE account_id = \(account.id)::uuid AND name = \(reference)::text")
        }
        return try rows.one("trunk")
    }
}
