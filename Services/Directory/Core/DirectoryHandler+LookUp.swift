import Domain
import Numbering
package import RPC
import Store
package import Wire

extension DirectoryHandler {
    package func lookUpNumber(
        _ request: DirectoryV1.LookUpNumberRequest, context: CallContext
    ) async throws -> DirectoryV1.LookUpNumberResponse {
        var response = DirectoryV1.LookUpNumberResponse()
        let region = request.region.isEmpty ? defaultRegion : try region(request.region)
        switch NumberingPlan(region: region).read(request.dialled) {
        case .emergency: response.result = .emergency
        // A name is no incomplete number: nobody here has it.
        case .invalid(.notANumber): response.result = .unknown
        case .invalid: response.result = .invalid
        case .number(let number, _):
            response.phoneNumber = number.description
            let rows = try await database.query(
                """
                SELECT a.region, n.account_id, n.id, n.persona_id, n.phone_number, n.user_id, u.identity,
                    u.ring_time_seconds, u.ring_policy, u.minimum_message_seconds
                FROM directory.number_holder h
                JOIN directory.phone_number n ON n.account_id = h.account_id AND n.id = h.assignment_id
                JOIN directory.user_account u ON u.account_id = n.account_id AND u.id = n.user_id
                JOIN directory.account a ON a.id = n.account_id
                WHERE h.phone_number = \(number) AND n.state = 'complete'
                """)
            response.callee = try rows.first.map(DirectoryV1.Callee.init(row:))
            response.result = rows.isEmpty ? .unknown : .found
        }
        return response
    }
}
