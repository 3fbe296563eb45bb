import Domain
import RPC
import Testing
import Wire

@Suite struct AccountTests {
    @Test("An account is found by id and by name in any case, and has a domain even when none is given")
    func createAndGet() async throws {
        try await DirectoryFixture.run { directory in
            let made = try await directory.account("Acme_Corp", region: "gb")
            #expect(made.region == "GB")
            #expect(made.sipDomain == "acme-corp.bellwire.internal")
            #expect(made.created != nil)
            for reference in [made.id, "Acme_Corp", "acme_corp"] {
                var request = DirectoryV1.GetAccountRequest()
                request.account = reference
                #expect(try await directory.client.getAccount(request) == made)
            }
        }
    }

    @Test("Names and SIP domains are unique; wrong ones are refused with what is wrong")
    func refusals() async throws {
        try await DirectoryFixture.run { directory in
            func create(_ name: String, domain: String = "", region: String = "GB") async -> StatusCode? {
                await refusal {
                    var request = DirectoryV1.CreateAccountRequest()
                    request.name = name
                    request.sipDomain = domain
                    request.region = region
                    _ = try await directory.client.createAccount(request)
                }
            }
            #expect(await create("one", domain: "SIP.example.com") == nil)
            #expect(await create("ONE") == .alreadyExists)
            #expect(await create("two", domain: "sip.example.com") == .alreadyExists)
            for name in ["", "-a", "a b", "é", String(repeating: "a", count: 64), BellwireID.make().description] {
                #expect(await create(name) == .invalidArgument, "\(name)")
            }
            for domain in ["a..b", "-a.com", "a_b.com", "1.2.3", "1.2.3.256", "a b", "sip:a.com"] {
                #expect(await create("three", domain: domain) == .invalidArgument, "\(domain)")
            }
            #expect(await create("four", domain: "192.0.2.1") == nil)
            for region in ["UK", "ZZ", "GBR"] {
                #expect(await create("five", region: region) == .invalidArgument, "\(region)")
            }
            #expect(await create("six", region: "") == nil)
        }
    }

    @Test("An account with users stays; an empty one goes")
    func delete() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account()
            let user = try await directory.user("alice", in: account)
            var request = DirectoryV1.DeleteAccountRequest()
            request.account = account.name
            #expect(await refusal { _ = try await directory.client.deleteAccount(request) } == .failedPrecondition)
            var userRequest = DirectoryV1.DeleteUserRequest()
            userRequest.user = user.id
            _ = try await directory.client.deleteUser(userRequest)
            #expect(try await directory.client.deleteAccount(request).id == account.id)
            #expect(await refusal { _ = try await directory.client.deleteAccount(request) } == .notFound)
        }
    }

    @Test("Pages hold every account once, also those made meanwhile; foreign and broken tokens are refused")
    func paging() async throws {
        try await DirectoryFixture.run { directory in
            var made: [String] = []
            for index in 0..<7 { made.append(try await directory.account("account-\(index)").id) }
            var request = DirectoryV1.ListAccountsRequest()
            request.limit = 3
            var seen: [String] = []
            repeat {
                let page = try await directory.client.listAccounts(request)
                #expect(page.accounts.count <= 3)
                seen += page.accounts.map(\.id)
                if seen.count == 3 { made.append(try await directory.account("late").id) }
                request.after = page.next
            } while !request.after.isEmpty
            #expect(Set(seen) == Set(made))
            #expect(seen.count == made.count)

            request.limit = 1
            request.after = ""
            let token = try await directory.client.listAccounts(request).next
            var users = DirectoryV1.ListUsersRequest()
            users.after = token
            #expect(await refusal { _ = try await directory.client.listUsers(users) } == .invalidArgument)
            for broken in ["x", String(token.dropLast()), token + "0", String(token.reversed()), "' OR 1=1 --"] {
                request.after = broken
                #expect(await refusal { _ = try await directory.client.listAccounts(request) } == .invalidArgument)
            }
        }
    }
}
