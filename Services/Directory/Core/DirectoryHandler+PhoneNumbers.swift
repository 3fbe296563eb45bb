import Domain
import Numbering
import Observability
package import RPC
import Store
package import Wire

extension DirectoryHandler {
    package func createPhoneNumber(
        _ request: DirectoryV1.CreatePhoneNumberRequest, context: CallContext
    ) async throws -> DirectoryV1.PhoneNumber {
        let user = try await user(request.user, account: request.account)
        let region = Region(try await account(user.accountID).region)
        let (number, looksAssigned) = try number(request.phoneNumber, region: region)
        let persona = request.personaID.isEmpty ? user.defaultPersonaID : request.personaID
        guard let personaID = BellwireID(persona) else { throw Refusal.invalid("personaId: not an id") }
        let id = BellwireID.make()
        if !looksAssigned {
            logger.notice("number looks unassigned in its plan", [.number: .id(id.description)])
        }
        do {
            return try await database.transaction { transaction in
                let personas = try await transaction.query(
                    """
                    SELECT id FROM directory.persona WHERE account_id = \(user.accountID)::uuid AND id = \(personaID)
                        AND user_id = \(user.id)::uuid FOR KEY SHARE
                    """)
                guard !personas.isEmpty else { throw Refusal.missing("persona of this user") }
                let rows = try await transaction.query(
                    """
                    INSERT INTO directory.phone_number (account_id, id, user_id, persona_id, phone_number, state)
                    VALUES (\(user.accountID)::uuid, \(id), \(user.id)::uuid, \(personaID), \(number), 'complete')
                    RETURNING *
                    """)
                try await transaction.execute(
                    """
                    INSERT INTO directory.number_holder (phone_number, account_id, assignment_id)
                    VALUES (\(number), \(user.accountID)::uuid, \(id))
                    """)
                return try DirectoryV1.PhoneNumber(row: rows.one("number"))
            }
        } catch StoreError.constraint("number_is_held_once", _) {
            throw Refusal.exists("the number is assigned already")
        } catch StoreError.constraint(_, .foreignKey) {
            throw Refusal.missing("user")
        }
    }

    package func getPhoneNumber(
        _ request: DirectoryV1.GetPhoneNumberRequest, context: CallContext
    ) async throws -> DirectoryV1.PhoneNumber {
        try await phoneNumber(request.phoneNumber)
    }

    package func listPhoneNumbers(
        _ request: DirectoryV1.ListPhoneNumbersRequest, context: CallContext
    ) async throws -> DirectoryV1.ListPhoneNumbersResponse {
        let filter: SQL
        let scope: String
        if !request.user.isEmpty {
            let user = try await user(request.user, account: request.account)
            filter = "account_id = \(user.accountID)::uuid AND user_id = \(user.id)::uuid AND"
            scope = "numbers/user/\(user.id)"
        } else if !request.account.isEmpty {
            let account = try await account(request.account)
            filter = "account_id = \(account.id)::uuid AND"
            scope = "numbers/account/\(account.id)"
        } else {
            filter = ""
            scope = "numbers"
        }
        let page = try Page(limit: request.limit, after: request.after, scope: scope)
        let rows = try await database.query(
            """
            SELECT * FROM directory.phone_number WHERE \(filter) id > \(page.after)
            ORDER BY id LIMIT \(page.fetchLimit)
            """)
        var response = DirectoryV1.ListPhoneNumbersResponse()
        (response.phoneNumbers, response.next) = page.cut(try rows.map(DirectoryV1.PhoneNumber.init(row:)), id: \.id)
        return response
    }

    /// Releases the number: it may be given to anybody at once, as another assignment.
    package func deletePhoneNumber(
        _ request: DirectoryV1.DeletePhoneNumberRequest, context: CallContext
    ) async throws -> DirectoryV1.DeleteResponse {
        let assignment = try await phoneNumber(request.phoneNumber)
        let count = try await database.execute(
            """
            DELETE FROM directory.phone_number
            WHERE account_id = \(assignment.accountID)::uuid AND id = \(assignment.id)::uuid
            """)
        guard count == 1 else { throw Refusal.missing("telephone number") }
        return DirectoryV1.DeleteResponse(deleted: assignment.id)
    }

    /// By assignment id, or by number.
    private func phoneNumber(_ reference: String) async throws -> DirectoryV1.PhoneNumber {
        let rows: [Row]
        if let id = BellwireID(reference) {
            rows = try await database.query("SELECT * FROM directory.phone_number WHERE id = \(id)")
        } else {
            let (number, _) = try number(reference, region: defaultRegion)
            rows = try await database.query(
                """
                SELECT n.* FROM directory.number_holder h
                JOIN directory.phone_number n ON n.account_id = h.account_id AND n.id = h.assignment_id
                WHERE h.phone_number = \(number)
                """)
        }
        let row = try rows.one("telephone number")
        return try DirectoryV1.PhoneNumber(row: row)
    }

    private func number(_ text: String, region: Region?) throws -> (E164, looksAssigned: Bool) {
        guard !text.isEmpty else { throw Refusal.invalid("phoneNumber: missing") }
        switch NumberingPlan(region: region).read(text) {
        case .number(let number, let looksAssigned): return (number, looksAssigned)
        case .emergency: throw Refusal.invalid("phoneNumber: an emergency number belongs to nobody")
        case .invalid(let why): throw Refusal.invalid("phoneNumber: \(why.explanation)")
        }
    }
}
