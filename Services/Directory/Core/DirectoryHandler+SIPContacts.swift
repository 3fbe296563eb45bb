import Domain
package import RPC
import Store
package import Wire

extension DirectoryHandler {
    private static let maximumContacts = 20

    package func createSIPContact(
        _ request: DirectoryV1.CreateSIPContactRequest, context: CallContext
    ) async throws -> DirectoryV1.SIPContact {
        guard let address = SIPContactAddress(request.uri) else {
            throw Refusal.invalid("uri: not of the form sip:[user@]host[:port][;transport=udp|tcp]")
        }
        let user = try await user(request.user, account: request.account)
        do {
            return try await database.transaction { transaction in
                // The lock makes the count right.
                _ = try await transaction.query(
                    """
                    SELECT 1 FROM directory.user_account
                    WHERE account_id = \(user.accountID)::uuid AND id = \(user.id)::uuid FOR UPDATE
                    """)
                let present = try await transaction.query(
                    "SELECT count(*) AS present FROM directory.sip_contact WHERE user_id = \(user.id)::uuid")
                guard try present.one("count").int("present") < Self.maximumContacts else {
                    throw Refusal.premature("a user has at most \(Self.maximumContacts) SIP contacts")
                }
                let rows = try await transaction.query(
                    """
                    INSERT INTO directory.sip_contact (account_id, id, user_id, sip_user, host, port, transport)
                    VALUES (\(user.accountID)::uuid, \(BellwireID.make()), \(user.id)::uuid, \(address.user),
                        \(address.host), \(address.port), \(address.transport)) RETURNING *
                    """)
                return try DirectoryV1.SIPContact(row: rows.one("contact"))
            }
        } catch StoreError.constraint("sip_contact_address", _) {
            throw Refusal.exists("the user has this contact")
        } catch StoreError.constraint(_, .foreignKey) {
            throw Refusal.missing("user")
        }
    }

    package func listSIPContacts(
        _ request: DirectoryV1.ListSIPContactsRequest, context: CallContext
    ) async throws -> DirectoryV1.ListSIPContactsResponse {
        let user = try await user(request.user, account: request.account)
        guard let id = BellwireID(user.id) else { throw Refusal.missing("user") }
        var response = DirectoryV1.ListSIPContactsResponse()
        response.contacts = try await contacts(of: id)
        return response
    }

    package func deleteSIPContact(
        _ request: DirectoryV1.DeleteSIPContactRequest, context: CallContext
    ) async throws -> DirectoryV1.DeleteResponse {
        guard let id = BellwireID(request.id) else { throw Refusal.invalid("id: not an id") }
        let count = try await database.execute("DELETE FROM directory.sip_contact WHERE id = \(id)")
        guard count == 1 else { throw Refusal.missing("SIP contact") }
        return DirectoryV1.DeleteResponse(deleted: id.description)
    }

    /// Newest first.
    func contacts(of user: BellwireID) async throws -> [DirectoryV1.SIPContact] {
        try await database.query(
            "SELECT * FROM directory.sip_contact WHERE user_id = \(user) ORDER BY created DESC, id DESC"
        ).map(DirectoryV1.SIPContact.init(row:))
    }
}
