import Domain
import Numbering
package import RPC
import Store
package import Wire

extension DirectoryHandler {
    package func routeCall(
        _ request: DirectoryV1.RouteCallRequest, context: CallContext
    ) async throws -> DirectoryV1.RouteCallResponse {
        var response = DirectoryV1.RouteCallResponse()
        switch try await source(of: request) {
        case .impostor: response.result = .callerIDNotOwned
        case .user(let caller, let names, let isBarred):
            let claimed = names.contains(request.claimedNumber) ? "" : request.claimedNumber
            guard let caller = try await identified(caller, claiming: claimed) else {
                response.result = .callerIDNotOwned
                return response
            }
            response.caller = caller
            try await route(request.dialled, of: caller, isBarred: isBarred, into: &response)
        case .trunk(let id):
            response.trunkID = id
            try await routeInward(request, into: &response)
        case .stranger: try await routeInward(request, into: &response)
        }
        return response
    }

    /// Nobody of ours calls: only a number that one of ours has is reached.
    private func routeInward(
        _ request: DirectoryV1.RouteCallRequest, into response: inout DirectoryV1.RouteCallResponse
    ) async throws {
        let region = request.region.isEmpty ? defaultRegion : try region(request.region)
        switch NumberingPlan(region: region).read(request.dialled) {
        case .emergency: response.result = .emergency
        // A name is no incomplete number: nobody here has it.
        case .invalid(.notANumber): response.result = .unknown
        case .invalid: response.result = .invalid
        case .number(let number, _):
            response.phoneNumber = number.description
            guard try await ring(holder(of: number), into: &response) else {
                response.result = .unknown
                return
            }
        }
    }

    /// A number wins over an identity of the same digits: nobody is called in another's place.
    private func route(
        _ dialled: String, of caller: DirectoryV1.LocalCaller, isBarred: Bool,
        into response: inout DirectoryV1.RouteCallResponse
    ) async throws {
        switch NumberingPlan(region: Region(caller.region)).read(dialled) {
        case .emergency: response.result = .emergency
        case .invalid(let why):
            let identity = dialled.hasPrefix("client:") ? String(dialled.dropFirst(7)) : dialled
            guard try await ring(user(named: identity, in: caller.accountID), into: &response) else {
                response.result = why == .notANumber ? .unknown : .invalid
                return
            }
        case .number(let number, _):
            response.phoneNumber = number.description
            if try await ring(holder(of: number), into: &response) { return }
            let trunks = try await database.query(
                "SELECT * FROM directory.trunk WHERE account_id = \(caller.accountID)::uuid ORDER BY id"
            ).map(TrunkChoice.init(row:))
            let fitting = TrunkChoice.order(trunks, for: number)
            let ownNumber = caller.phoneNumber.isEmpty ? nil : caller.phoneNumber
            response.trunks = fitting.compactMap { $0.route(ownNumber: ownNumber) }
            response.result =
                fitting.isEmpty
                ? .unknown : isBarred ? .notAllowed : response.trunks.isEmpty ? .callerIDNotOwned : .trunk
            if response.result != .trunk { response.trunks = [] }
        }
    }

    /// False when there is no such callee.
    private func ring(
        _ callee: DirectoryV1.Callee?, into response: inout DirectoryV1.RouteCallResponse
    ) async throws -> Bool {
        guard let callee, let id = BellwireID(callee.userID) else { return false }
        response.result = .user
        response.callee = callee
        // Who calls themselves rings on their other phones.
        let contacts = try await contacts(of: id).filter { $0.id != response.caller?.contactID }
        switch callee.ringPolicy {
        case .newestDevice: response.contacts = Array(contacts.prefix(1))
        case .decline: response.contacts = []
        default: response.contacts = contacts
        }
        return true
    }

    /// Who has a number.
    func holder(of number: E164) async throws -> DirectoryV1.Callee? {
        try await database.query(
            """
            SELECT a.region, n.account_id, n.id, n.persona_id, n.phone_number, n.user_id, u.identity,
                u.ring_time_seconds, u.ring_policy, u.minimum_message_seconds
            FROM directory.number_holder h
            JOIN directory.phone_number n ON n.account_id = h.account_id AND n.id = h.assignment_id
            JOIN directory.user_account u ON u.account_id = n.account_id AND u.id = n.user_id
            JOIN directory.account a ON a.id = n.account_id
            WHERE h.phone_number = \(number) AND n.state = 'complete'
            """
        ).first.map(DirectoryV1.Callee.init(row:))
    }

    private func user(named identity: String, in account: String) async throws -> DirectoryV1.Callee? {
        guard let identity = Identity(identity) else { return nil }
        return try await database.query(
            """
            SELECT a.region, u.account_id, NULL AS id, p.id AS persona_id, NULL AS phone_number, u.id AS user_id,
                u.identity, u.ring_time_seconds, u.ring_policy, u.minimum_message_seconds
            FROM directory.user_account u
            JOIN directory.persona p ON p.account_id = u.account_id AND p.user_id = u.id AND p.is_default
            JOIN directory.account a ON a.id = u.account_id
            WHERE u.account_id = \(account)::uuid AND u.identity = \(identity.description)
            """
        ).first.map(DirectoryV1.Callee.init(row:))
    }
}
