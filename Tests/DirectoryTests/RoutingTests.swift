import Domain
import RPC
import Testing
import Wire

@Suite struct RoutingTests {
    @Test("A stranger reaches a number that one of ours has, with the phones of its user, and nothing else")
    func inward() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account("acme", region: "US")
            let alice = try await directory.user("alice", in: account)
            let number = try await directory.assign("+12025550123", to: alice)
            let old = try await directory.contact("sip:alice@192.0.2.7", of: alice)
            let new = try await directory.contact("sip:alice@192.0.2.8", of: alice)
            _ = try await directory.trunk("out", of: account) { $0.callerNumber = "+12025550100" }

            let found = try await directory.route("+12025550123")
            #expect(found.result == .user)
            #expect(found.caller == nil)
            #expect(found.trunkID.isEmpty)
            #expect(found.callee?.phoneNumberID == number.id)
            #expect(found.contacts == [new, old])
            #expect(try await directory.route("+442079460123").result == .unknown)
            #expect(try await directory.route("alice").result == .unknown)
            #expect(try await directory.route("+1202").result == .invalid)
            #expect(try await directory.route("911").result == .emergency)
        }
    }

    @Test("The ring policy says which phones ring", arguments: [DirectoryV1.RingPolicy.newestDevice, .decline])
    func policy(_ policy: DirectoryV1.RingPolicy) async throws {
        try await DirectoryFixture.run { directory in
            let alice = try await directory.user("alice", in: try await directory.account()) { $0.ringPolicy = policy }
            _ = try await directory.assign("+12025550123", to: alice)
            _ = try await directory.contact("sip:alice@192.0.2.7", of: alice)
            let new = try await directory.contact("sip:alice@192.0.2.8", of: alice)
            let contacts = try await directory.route("+12025550123").contacts
            #expect(contacts == (policy == .decline ? [] : [new]))
        }
    }

    @Test("A call from a trunk's address is known as the trunk's")
    func fromTrunk() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account("acme", region: "US")
            _ = try await directory.assign("+12025550123", to: try await directory.user("alice", in: account))
            let trunk = try await directory.trunk("in", of: account)
            let exact = try await directory.trunk("exact", of: account) { $0.port = 5080 }
            #expect(try await directory.route("+12025550123", from: "192.0.2.1:40000").trunkID == trunk.id)
            #expect(try await directory.route("+12025550123", from: "192.0.2.1:5080").trunkID == exact.id)
        }
    }

    @Test("Users call each other by number and by identity; a number wins over an identity of the same digits")
    func userToUser() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account("acme", region: "US")
            let alice = try await directory.user("alice", in: account)
            let bob = try await directory.user("bob", in: account)
            let impostor = try await directory.user("12025550199", in: account)
            let desk = try await directory.user("1001", in: account)
            let number = try await directory.assign("+12025550199", to: bob)
            let phone = try await directory.contact("sip:alice@192.0.2.7", of: alice)
            let phoneOfBob = try await directory.contact("sip:bob@192.0.2.8", of: bob)

            let byNumber = try await directory.route("12025550199", from: "192.0.2.7:5060", as: "alice")
            #expect(byNumber.result == .user)
            #expect(byNumber.caller?.userID == alice.id)
            #expect(byNumber.caller?.contactID == phone.id)
            #expect(byNumber.callee?.userID == bob.id)
            #expect(byNumber.callee?.phoneNumberID == number.id)
            #expect(byNumber.contacts == [phoneOfBob])
            for dialled in ["bob", "client:bob"] {
                let byName = try await directory.route(dialled, from: "192.0.2.7:5060", as: "alice")
                #expect(byName.callee?.userID == bob.id)
                #expect(byName.callee?.phoneNumberID.isEmpty == true)
                #expect(byName.callee?.personaID == bob.defaultPersonaID)
                #expect(byName.phoneNumber.isEmpty)
            }
            let short = try await directory.route("1001", from: "192.0.2.7:5060", as: "alice")
            #expect(short.callee?.userID == desk.id)
            #expect(byNumber.callee?.userID != impostor.id)
            #expect(try await directory.route("nobody", from: "192.0.2.7:5060", as: "alice").result == .unknown)
            #expect(try await directory.route("911", from: "192.0.2.7:5060", as: "alice").result == .emergency)
        }
    }

    @Test("Who calls their own number rings on their other phones only")
    func ownNumber() async throws {
        try await DirectoryFixture.run { directory in
            let alice = try await directory.user("alice", in: try await directory.account("acme", region: "US"))
            _ = try await directory.assign("+12025550123", to: alice)
            let other = try await directory.contact("sip:alice@192.0.2.8", of: alice)
            _ = try await directory.contact("sip:alice@192.0.2.7", of: alice)
            let response = try await directory.route("+12025550123", from: "192.0.2.7:5060", as: "alice")
            #expect(response.contacts == [other])
        }
    }

    @Test("A phone is known by its address: by the port too over UDP, without it over TCP")
    func source() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account("acme", region: "US")
            let alice = try await directory.user("alice", in: account)
            _ = try await directory.assign("+12025550123", to: alice)
            _ = try await directory.contact("sip:desk@192.0.2.7:5070", of: alice)
            _ = try await directory.contact("sip:desk@192.0.2.8:5070;transport=tcp", of: alice)
            func caller(_ source: String, as user: String, over transport: DirectoryV1.Transport = .udp) async throws
                -> String?
            {
                try await directory.route("alice", from: source, as: user, over: transport).caller?.userID
            }
            for name in ["alice", "desk", "+12025550123", "2025550123"] {
                #expect(try await caller("192.0.2.7:5070", as: name) == alice.id, "\(name)")
            }
            #expect(try await caller("192.0.2.7:5071", as: "alice") == nil)
            #expect(try await caller("192.0.2.7:5070", as: "alice", over: .tcp) == nil)
            #expect(try await caller("192.0.2.8:44444", as: "alice", over: .tcp) == alice.id)
        }
    }

    @Test("A phone of ours that calls as somebody else, or with a number of somebody else, is refused")
    func impostors() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account("acme", region: "US")
            let alice = try await directory.user("alice", in: account)
            let bob = try await directory.user("bob", in: account)
            _ = try await directory.assign("+12025550123", to: alice)
            _ = try await directory.assign("+12025550199", to: bob)
            _ = try await directory.contact("sip:alice@192.0.2.7", of: alice)
            func result(as user: String, claiming number: String) async throws -> DirectoryV1.RouteResult {
                try await directory.route("bob", from: "192.0.2.7:5060", as: user, claiming: number).result
            }
            #expect(try await result(as: "alice", claiming: "") == .user)
            // A phone that puts its own name where a number may stand claims none.
            #expect(try await result(as: "alice", claiming: "alice") == .user)
            #expect(try await result(as: "alice", claiming: "+12025550123") == .user)
            #expect(try await result(as: "alice", claiming: "+12025550199") == .callerIDNotOwned)
            #expect(try await result(as: "alice", claiming: "+15") == .callerIDNotOwned)
            #expect(try await result(as: "bob", claiming: "") == .callerIDNotOwned)
            #expect(try await result(as: "+12025550199", claiming: "") == .callerIDNotOwned)
        }
    }
}
