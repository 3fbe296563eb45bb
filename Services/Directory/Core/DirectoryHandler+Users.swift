import Domain
import Numbering
package import RPC
import Store
package import Wire

extension DirectoryHandler {
    package func createUser(
        _ request: DirectoryV1.CreateUserRequest, context: CallContext
    ) async throws -> DirectoryV1.User {
        let account = try await account(request.account)
        let identity = try identity(request.identity, region: account.region)
        let settings = try UserSettings(request)
        let id = BellwireID.make()
        let persona = BellwireID.make()
        do {
            return try await database.transaction { transaction in
                try await transaction.execute(
                    """
                    INSERT INTO directory.user_account
                        (account_id, id, identity, ring_time_seconds, ring_policy, minimum_message_seconds,
                        outgoing_barred)
                    VALUES (\(account.id)::uuid, \(id), \(identity),
                        \(settings.ringTimeSeconds ?? UserSettings.defaultRingTime),
                        \(settings.ringPolicy ?? .allDevices),
                        \(settings.minimumMessageSeconds ?? UserSettings.defaultMinimumMessage),
                        \(settings.outgoingBarred ?? false))
                    """)
                try await transaction.execute(
                    """
                    INSERT INTO directory.persona (account_id, id, user_id, name, is_default)
                    VALUES (\(account.id)::uuid, \(persona), \(id), 'default', true)
                    """)
                let rows = try await transaction.query("\(Self.users) WHERE u.id = \(id)")
                return try DirectoryV1.User(row: rows.one("user"))
            }
        } catch StoreError.constraint("user_identity", _) {
            throw Refusal.exists("the account has a user of this identity")
        } catch StoreError.constraint(_, .foreignKey) {
            throw Refusal.missing("account")
        }
    }

    package func getUser(_ request: DirectoryV1.GetUserRequest, context: CallContext) async throws -> DirectoryV1.User {
        try await user(request.user, account: request.account)
    }

    package func updateUser(
        _ request: DirectoryV1.UpdateUserRequest, context: CallContext
    ) async throws -> DirectoryV1.User {
        let settings = try UserSettings(request)
        let user = try await user(request.user, account: request.account)
        let count = try await database.execute(
            """
            UPDATE directory.user_account SET
                ring_time_seconds = coalesce(\(settings.ringTimeSeconds)::integer, ring_time_seconds),
                ring_policy = coalesce(\(settings.ringPolicy)::text, ring_policy),
                minimum_message_seconds = coalesce(\(settings.minimumMessageSeconds)::integer, minimum_message_seconds),
                outgoing_barred = coalesce(\(settings.outgoingBarred)::boolean, outgoing_barred),
                updated = now()
            WHERE account_id = \(user.accountID)::uuid AND id = \(user.id)::uuid
            """)
        guard count == 1 else { throw Refusal.missing("user") }
        return try await self.user(user.id, account: user.accountID)
    }

    package func listUsers(
        _ request: DirectoryV1.ListUsersRequest, context: CallContext
    ) async throws -> DirectoryV1.ListUsersResponse {
        let account = request.account.isEmpty ? nil : try await account(request.account)
        let page = try Page(limit: request.limit, after: request.after, scope: "users/\(account?.id ?? "")")
        let filter: SQL = account.map { "u.account_id = \($0.id)::uuid AND" } ?? ""
        let rows = try await database.query(
            "\(Self.users) WHERE \(filter) u.id > \(page.after) ORDER BY u.id LIMIT \(page.fetchLimit)")
        var response = DirectoryV1.ListUsersResponse()
        (response.users, response.next) = page.cut(try rows.map(DirectoryV1.User.init(row:)), id: \.id)
        return response
    }

    /// Personas and number assignments go with the user: the numbers are free for others at once.
    package func deleteUser(
        _ request: DirectoryV1.DeleteUserRequest, context: CallContext
    ) async throws -> DirectoryV1.DeleteResponse {
        let user = try await user(request.user, account: request.account)
        let count = try await database.execute(
            "DELETE FROM directory.user_account WHERE account_id = \(user.accountID)::uuid AND id = \(user.id)::uuid")
        guard count == 1 else { throw Refusal.missing("user") }
        return DirectoryV1.DeleteResponse(deleted: user.id)
    }

    /// Users with their default personas, to be followed by a WHERE.
    private static let users: SQL = """
        SELECT u.*, p.id AS default_persona_id FROM directory.user_account u
        JOIN directory.persona p ON p.account_id = u.account_id AND p.user_id = u.id AND p.is_default
        """

    /// By id, or by identity inside an account. An identity wins over an id of the same text.
    func user(_ reference: String, account accountReference: String) async throws -> DirectoryV1.User {
        guard !reference.isEmpty else { throw Refusal.invalid("user: missing; an id, or an identity with its account") }
        let id = BellwireID(reference)
        let rows: [Row]
        if accountReference.isEmpty {
            guard let id else { throw Refusal.invalid("account: missing; an identity is unique inside one only") }
            rows = try await database.query("\(Self.users) WHERE u.id = \(id)")
        } else {
            let account = try await account(accountReference)
            rows = try await database.query(
                """
                \(Self.users) WHERE u.account_id = \(account.id)::uuid
                    AND (u.identity = \(reference)::text OR u.id = \(id)::uuid)
                ORDER BY u.identity = \(reference)::text DESC LIMIT 1
                """)
        }
        let row = try rows.one("user")
        return try DirectoryV1.User(row: row)
    }

    private func identity(_ text: String, region: String) throws -> Identity {
        guard let identity = Identity(text) else {
            throw Refusal.invalid("identity: 1 to 255 of A-Z a-z 0-9 - _ =")
        }
        guard !NumberingPlan(region: Region(region)).isReserved(identity) else {
            throw Refusal.invalid("identity: an emergency or short number names nobody")
        }
        return identity
    }
}
