import Domain
import Numbering
import Store
import Wire

/// Who a call comes from, as far as the directory can tell.
enum CallSource {
    /// A user of ours, on one of their contacts.
    ///
    /// - Parameter names: what the phone may call itself; no number is claimed by that.
    case user(DirectoryV1.LocalCaller, names: [String], isBarred: Bool)
    /// From a contact of ours, in the name of somebody whom it does not belong to.
    case impostor
    case trunk(id: String)
    case stranger
}

extension DirectoryHandler {
    /// A contact is known by its address: over UDP with the port, since a phone sends from where it listens; over TCP without.
    func source(of request: DirectoryV1.RouteCallRequest) async throws -> CallSource {
        let transport = try SIPTransport(request.sourceTransport)
        let contacts = try await database.query(
            """
            SELECT c.id AS contact_id, c.sip_user, u.account_id, u.id, u.identity, u.outgoing_barred, a.region,
                p.id AS persona_id
            FROM directory.sip_contact c
            JOIN directory.user_account u ON u.account_id = c.account_id AND u.id = c.user_id
            JOIN directory.account a ON a.id = u.account_id
            JOIN directory.persona p ON p.account_id = u.account_id AND p.user_id = u.id AND p.is_default
            WHERE c.host = \(request.sourceHost)::text AND c.transport = \(transport)::text
                AND (c.transport = 'tcp' OR c.port = \(request.sourcePort)::integer)
            ORDER BY c.created, c.id
            """)
        for row in contacts {
            let names = [try row.string("identity"), try row.string("sip_user")]
            guard names.contains(request.fromUser) else { continue }
            return try user(row)
        }
        for row in contacts where try await owns(request.fromUser, row) { return try user(row) }
        guard contacts.isEmpty else { return .impostor }
        let trunks = try await database.query(
            """
            SELECT id FROM directory.trunk WHERE host = \(request.sourceHost)::text
            ORDER BY port = \(request.sourcePort)::integer DESC, id LIMIT 1
            """)
        return try trunks.first.map { .trunk(id: try $0.string("id")) } ?? .stranger
    }

    private func user(_ row: Row) throws -> CallSource {
        var caller = DirectoryV1.LocalCaller()
        caller.accountID = try row.string("account_id")
        caller.userID = try row.string("id")
        caller.identity = try row.string("identity")
        caller.personaID = try row.string("persona_id")
        caller.region = try row.string("region")
        caller.contactID = try row.string("contact_id")
        let names = [caller.identity, try row.string("sip_user")]
        return .user(caller, names: names, isBarred: try row.bool("outgoing_barred"))
    }

    private func owns(_ fromUser: String, _ row: Row) async throws -> Bool {
        let plan = NumberingPlan(region: Region(try row.string("region")))
        guard let number = plan.read(fromUser).number else { return false }
        return try await !ownNumbers(account: row.id("account_id"), user: row.id("id"), only: number).isEmpty
    }

    /// The numbers that a user may be seen with, those of the default persona first.
    private func ownNumbers(account: BellwireID, user: BellwireID, only number: E164?) async throws -> [Row] {
        try await database.query(
            """
            SELECT n.id, n.persona_id, n.phone_number FROM directory.phone_number n
            JOIN directory.number_holder h ON h.account_id = n.account_id AND h.assignment_id = n.id
            JOIN directory.persona p ON p.account_id = n.account_id AND p.id = n.persona_id
            WHERE n.account_id = \(account) AND n.user_id = \(user) AND n.state = 'complete'
                AND (\(number)::text IS NULL OR n.phone_number = \(number)::text)
            ORDER BY p.is_default DESC, n.id LIMIT 1
            """)
    }

    /// The caller with the number that they are seen with: the one that they claim, else the first of their own, else none. Nil
    /// when they claim one that is not theirs.
    func identified(
        _ caller: DirectoryV1.LocalCaller, claiming claimed: String
    ) async throws -> DirectoryV1.LocalCaller? {
        guard let account = BellwireID(caller.accountID), let user = BellwireID(caller.userID) else { return nil }
        var number: E164?
        if !claimed.isEmpty {
            number = NumberingPlan(region: Region(caller.region)).read(claimed).number
            guard number != nil else { return nil }
        }
        guard let row = try await ownNumbers(account: account, user: user, only: number).first else {
            return claimed.isEmpty ? caller : nil
        }
        var caller = caller
        caller.phoneNumberID = try row.string("id")
        caller.phoneNumber = try row.string("phone_number")
        caller.personaID = try row.string("persona_id")
        return caller
    }
}
