import RPC
import Testing
import Wire

@Suite struct TrunkRoutingTests {
    /// Alice with a phone at 192.0.2.7.
    private static func run(
        _ body: (DirectoryFixture, DirectoryV1.Account, DirectoryV1.User) async throws -> Void
    ) async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account("acme", region: "US")
            let alice = try await directory.user("alice", in: account)
            _ = try await directory.contact("sip:alice@192.0.2.7", of: alice)
            try await body(directory, account, alice)
        }
    }

    private static func route(
        _ dialled: String, _ directory: DirectoryFixture, claiming number: String = ""
    ) async throws -> DirectoryV1.RouteCallResponse {
        try await directory.route(dialled, from: "192.0.2.7:5060", as: "alice", claiming: number)
    }

    @Test("The trunk with the longest prefix comes first, then the lower priority, then the older")
    func order() async throws {
        try await Self.run { directory, account, alice in
            _ = try await directory.assign("+12025550123", to: alice)
            let any = try await directory.trunk("any", of: account)
            let late = try await directory.trunk("late", of: account) { $0.priority = 5 }
            let second = try await directory.trunk("second", of: account)
            let britain = try await directory.trunk("britain", of: account) {
                $0.prefixes = ["+1", "+44"]
                $0.priority = 9
            }
            let london = try await directory.trunk("london", of: account) { $0.prefixes = ["+4420"] }
            let abroad = try await Self.route("+442079460123", directory)
            #expect(abroad.result == .trunk)
            #expect(abroad.phoneNumber == "+442079460123")
            #expect(abroad.trunks.map(\.trunkID) == [london, britain, any, second, late].map(\.id))
            let national = try await Self.route("(202) 555-0177", directory)
            #expect(national.phoneNumber == "+12025550177")
            #expect(national.trunks.map(\.trunkID) == [britain, any, second, late].map(\.id))
        }
    }

    @Test("A trunk shows the caller's own number, its own where they have none, or always its own")
    func callerNumber() async throws {
        try await Self.run { directory, account, alice in
            _ = try await directory.trunk("bare", of: account)
            #expect(try await Self.route("+442079460123", directory).result == .callerIDNotOwned)
            _ = try await directory.trunk("owned", of: account) { $0.callerNumber = "+12025550100" }
            _ = try await directory.trunk("fixed", of: account) {
                $0.callerNumber = "+12025550101"
                $0.callerRule = .fixed
                $0.username = "u"
                $0.password = "p"
            }
            let without = try await Self.route("+442079460123", directory)
            #expect(without.trunks.map(\.callerNumber) == ["+12025550100", "+12025550101"])
            #expect(without.caller?.phoneNumber.isEmpty == true)
            #expect(without.trunks.map(\.password) == ["", "p"])

            let first = try await directory.assign("+12025550123", to: alice)
            let second = try await directory.assign("+12025550124", to: alice)
            let own = try await Self.route("+442079460123", directory)
            #expect(own.trunks.map(\.callerNumber) == ["+12025550123", "+12025550123", "+12025550101"])
            #expect(own.caller?.phoneNumberID == first.id)
            let claimed = try await Self.route("+442079460123", directory, claiming: "202-555-0124")
            #expect(claimed.caller?.phoneNumberID == second.id)
            #expect(claimed.trunks.map(\.callerNumber) == ["+12025550124", "+12025550124", "+12025550101"])
        }
    }

    @Test("Nobody leaves through another account's trunk, nor while barred")
    func permission() async throws {
        try await Self.run { directory, account, alice in
            _ = try await directory.assign("+12025550123", to: alice)
            let other = try await directory.account("other", region: "US")
            _ = try await directory.trunk("foreign", of: other)
            #expect(try await Self.route("+442079460123", directory).result == .unknown)
            _ = try await directory.trunk("french", of: account) { $0.prefixes = ["+33"] }
            #expect(try await Self.route("+442079460123", directory).result == .unknown)
            #expect(try await Self.route("+33123456789", directory).result == .trunk)
            var update = DirectoryV1.UpdateUserRequest()
            update.user = alice.id
            update.outgoingBarred = true
            #expect(try await directory.client.updateUser(update).outgoingBarred)
            let barred = try await Self.route("+33123456789", directory)
            #expect(barred.result == .notAllowed)
            #expect(barred.trunks.isEmpty)
        }
    }
}
