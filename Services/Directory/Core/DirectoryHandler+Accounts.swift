import Domain
import Numbering
package import RPC
import Store
package import Wire

extension DirectoryHandler {
    package func createAccount(
        _ request: DirectoryV1.CreateAccountRequest, context: CallContext
    ) async throws -> DirectoryV1.Account {
        guard let name = AccountName(request.name) else {
            throw Refusal.invalid("name: 1 to 63 of A-Z a-z 0-9 . _ -, beginning with a letter or digit, and not an id")
        }
        let domain = request.sipDomain.isEmpty ? SIPDomain(of: name) : SIPDomain(request.sipDomain)
        guard let domain else { throw Refusal.invalid("sipDomain: not a host name or IPv4 address") }
        let region = try region(request.region)
        do {
            let rows = try await database.query(
                """
                INSERT INTO directory.account (id, name, sip_domain, region)
                VALUES (\(BellwireID.make()), \(name.text), \(domain.text), \(region.description)) RETURNING *
                """)
            return try DirectoryV1.Account(row: rows.one("account"))
        } catch StoreError.constraint("account_name", _) {
            throw Refusal.exists("an account of this name exists")
        } catch StoreError.constraint("account_sip_domain", _) {
            throw Refusal.exists("another account has this SIP domain")
        }
    }

    package func getAccount(
        _ request: DirectoryV1.GetAccountRequest, context: CallContext
    ) async throws -> DirectoryV1.Account {
        try await account(request.account)
    }

    package func listAccounts(
        _ request: DirectoryV1.ListAccountsRequest, context: CallContext
    ) async throws -> DirectoryV1.ListAccountsResponse {
        let page = try Page(limit: request.limit, after: request.after, scope: "accounts")
        let rows = try await database.query(
            "SELECT * FROM directory.account WHERE id > \(page.after) ORDER BY id LIMIT \(page.fetchLimit)")
        var response = DirectoryV1.ListAccountsResponse()
        (response.accounts, response.next) = page.cut(try rows.map(DirectoryV1.Account.init(row:)), id: \.id)
        return response
    }

    package func deleteAccount(
        _ request: DirectoryV1.DeleteAccountRequest, context: CallContext
    ) async throws -> DirectoryV1.DeleteResponse {
        let account = try await account(request.account)
        do {
            let count = try await database.execute("DELETE FROM directory.account WHERE id = \(account.id)::uuid")
            guard count == 1 else { throw Refusal.missing("account") }
        } catch StoreError.constraint(_, .foreignKey) {
            throw Refusal.premature("the account still has users or trunks")
        }
        return DirectoryV1.DeleteResponse(deleted: account.id)
    }

    /// By id or name.
    func account(_ reference: String) async throws -> DirectoryV1.Account {
        guard !reference.isEmpty else { throw Refusal.invalid("account: missing; an id or a name") }
        let rows: [Row]
        if let id = BellwireID(reference) {
            rows = try await database.query("SELECT * FROM directory.account WHERE id = \(id)")
        } else {
            rows = try await database.query(
                "SELECT * FROM directory.account WHERE lower(name) = lower(\(reference)::text)")
        }
        let row = try rows.one("account")
        return try DirectoryV1.Account(row: row)
    }

    /// A request's region, or the operator's default.
    func region(_ code: String) throws -> Region {
        guard !code.isEmpty else {
            guard let defaultRegion else {
                throw Refusal.invalid("region: missing, and the operator has set no default")
            }
            return defaultRegion
        }
        guard let region = Region(code) else {
            throw Refusal.invalid("region: not an ISO 3166 alpha-2 code with a numbering plan")
        }
        return region
    }
}
