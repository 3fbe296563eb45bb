import Domain
package import RPC
import Store
package import Wire

extension DirectoryHandler {
    package func createPersona(
        _ request: DirectoryV1.CreatePersonaRequest, context: CallContext
    ) async throws -> DirectoryV1.Persona {
        guard (1...128).contains(request.name.unicodeScalars.count),
            !request.name.unicodeScalars.contains(where: {
                $0.properties.generalCategory == .control
            })
        else { throw Refusal.invalid("name: 1 to 128 characters, no control characters") }
        let user = try await user(request.user, account: request.account)
        do {
            let rows = try await database.query(
                """
                INSERT INTO directory.persona (account_id, id, user_id, name)
                VALUES (\(user.accountID)::uuid, \(BellwireID.make()), \(user.id)::uuid, \(request.name)) RETURNING *
                """)
            return try DirectoryV1.Persona(row: rows.one("persona"))
        } catch StoreError.constraint(_, .foreignKey) {
            throw Refusal.missing("user")
        }
    }

    package func listPersonas(
        _ request: DirectoryV1.ListPersonasRequest, context: CallContext
    ) async throws -> DirectoryV1.ListPersonasResponse {
        let user = try await user(request.user, account: request.account)
        let rows = try await database.query(
            """
            SELECT * FROM directory.persona
            WHERE account_id = \(user.accountID)::uuid AND user_id = \(user.id)::uuid ORDER BY id
            """)
        var response = DirectoryV1.ListPersonasResponse()
        response.personas = try rows.map(DirectoryV1.Persona.init(row:))
        return response
    }

    package func deletePersona(
        _ request: DirectoryV1.DeletePersonaRequest, context: CallContext
    ) async throws -> DirectoryV1.DeleteResponse {
        guard let id = BellwireID(request.id) else { throw Refusal.invalid("id: not an id") }
        try await database.transaction { transaction in
            // The lock keeps a number from being assigned to it meanwhile.
            let rows = try await transaction.query(
                "SELECT account_id, is_default FROM directory.persona WHERE id = \(id) FOR UPDATE")
            let row = try rows.one("persona")
            guard try !row.bool("is_default") else {
                throw Refusal.premature("the default persona lives as long as its user")
            }
            let account = try row.id("account_id")
            let numbers = try await transaction.query(
                "SELECT id FROM directory.phone_number WHERE account_id = \(account) AND persona_id = \(id) LIMIT 1")
            guard numbers.isEmpty else { throw Refusal.premature("the persona still has telephone numbers") }
            try await transaction.execute(
                "DELETE FROM directory.persona WHERE account_id = \(account) AND id = \(id)")
        }
        return DirectoryV1.DeleteResponse(deleted: id.description)
    }
}
