import RPC
import Testing
import Wire

@Suite struct TrunkTests {
    @Test("A trunk comes with its defaults, is found by id and by name, and never shows its password")
    func lifeOfATrunk() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account()
            let trunk = try await directory.trunk("out", of: account) {
                $0.username = "bellwire"
                $0.password = "secret"
                $0.callerNumber = "020 7946 0123"
            }
            #expect(trunk.port == 5060)
            #expect(trunk.transport == .udp)
            #expect(trunk.callerRule == .owned)
            #expect(trunk.callerNumber == "+442079460123")
            #expect(trunk.username == "bellwire")
            #expect(!String(describing: trunk).contains("secret"))

            var get = DirectoryV1.GetTrunkRequest()
            get.trunk = trunk.id
            #expect(try await directory.client.getTrunk(get) == trunk)
            #expect(await refusal { _ = try await directory.client.getTrunkCredentials(get) } == .permissionDenied)
            let credentials = try await directory.client(of: "calls").getTrunkCredentials(get)
            #expect(credentials.username == "bellwire" && credentials.password == "secret")
            #expect(!String(describing: credentials).contains("secret"))
            get.trunk = "out"
            #expect(await refusal { _ = try await directory.client.getTrunk(get) } == .invalidArgument)
            get.account = account.name
            #expect(try await directory.client.getTrunk(get) == trunk)
            #expect(await refusal { _ = try await directory.trunk("out", of: account) } == .alreadyExists)

            var delete = DirectoryV1.DeleteAccountRequest()
            delete.account = account.id
            #expect(await refusal { _ = try await directory.client.deleteAccount(delete) } == .failedPrecondition)
            var remove = DirectoryV1.DeleteTrunkRequest()
            remove.trunk = trunk.id
            _ = try await directory.client.deleteTrunk(remove)
            #expect(await refusal { _ = try await directory.client.deleteTrunk(remove) } == .notFound)
            _ = try await directory.client.deleteAccount(delete)
        }
    }

    @Test("Trunks are listed by account, page by page")
    func listing() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account("one")
            _ = try await directory.trunk("x", of: try await directory.account("two"))
            let made = [
                try await directory.trunk("a", of: account), try await directory.trunk("b", of: account),
                try await directory.trunk("c", of: account),
            ]
            var request = DirectoryV1.ListTrunksRequest()
            request.account = account.id
            request.limit = 2
            let first = try await directory.client.listTrunks(request)
            request.after = first.next
            let second = try await directory.client.listTrunks(request)
            #expect(first.trunks + second.trunks == made)
            #expect(second.next.isEmpty)
            #expect(try await directory.client.listTrunks(.init()).trunks.count == 4)
        }
    }

    @Test("What makes no trunk is refused")
    func refusals() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account()
            let wrong: [(inout DirectoryV1.CreateTrunkRequest) -> Void] = [
                { $0.name = "" }, { $0.host = "" }, { $0.host = "a b" }, { $0.port = 65_536 },
                { $0.transport = .unrecognized(9) }, { $0.username = "only" }, { $0.password = "only" },
                {
                    $0.username = "a\"b"
                    $0.password = "x"
                },
                { $0.callerRule = .fixed }, { $0.callerNumber = "12" }, { $0.prefixes = ["44"] },
                { $0.prefixes = ["+"] }, { $0.prefixes = ["+44x"] }, { $0.priority = 1001 },
                { $0.prefixes = Array(repeating: "+1", count: 101) },
            ]
            for (index, change) in wrong.enumerated() {
                #expect(
                    await refusal { _ = try await directory.trunk("t", of: account, change) } == .invalidArgument,
                    "\(index)")
            }
        }
    }
}
