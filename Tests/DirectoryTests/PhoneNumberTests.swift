import Domain
import RPC
import Store
import Testing
import Wire

@Suite struct PhoneNumberTests {
    @Test("A number given in any form is kept and found in its canonical one")
    func canonical() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account(region: "GB")
            let user = try await directory.user("alice", in: account) { $0.ringTimeSeconds = 12 }
            let number = try await directory.assign("07700 900123", to: user)
            #expect(number.phoneNumber == "+447700900123")
            #expect(number.state == .complete)
            #expect(number.personaID == user.defaultPersonaID)
            for (dialled, region) in [
                ("+447700900123", ""), ("00447700900123", ""), ("447700900123", "GB"), ("07700900123", "GB"),
                ("011447700900123", "US"), ("+44447700900123", ""),
            ] {
                let found = try await directory.lookUp(dialled, region: region)
                #expect(found.result == .found, "\(dialled)")
                #expect(found.phoneNumber == "+447700900123")
                #expect(found.callee?.phoneNumberID == number.id)
                #expect(found.callee?.userID == user.id)
                #expect(found.callee?.identity == "alice")
                #expect(found.callee?.ringTimeSeconds == 12)
                #expect(found.callee?.region == "GB")
                #expect(found.callee?.accountID == account.id)
            }
            #expect(try await directory.number("+447700900123") == number)
            #expect(try await directory.number(number.id) == number)
        }
    }

    @Test("A look-up tells unknown, invalid and emergency numbers apart")
    func lookUpResults() async throws {
        try await DirectoryFixture.run { directory in
            let unknown = try await directory.lookUp("+447700900999")
            #expect(unknown.result == .unknown)
            #expect(unknown.phoneNumber == "+447700900999")
            #expect(unknown.callee == nil)
            for name in ["alice", "bob.smith"] {
                let response = try await directory.lookUp(name)
                #expect(response.result == .unknown, "\(name)")
                #expect(response.phoneNumber.isEmpty)
            }
            for dialled in ["", "12", "91155512", "+266696687", "anonymous", "+44770090012345678"] {
                let response = try await directory.lookUp(dialled)
                #expect(response.result == .invalid, "\(dialled)")
                #expect(response.phoneNumber.isEmpty)
            }
            #expect(try await directory.lookUp("911").result == .emergency)
            #expect(try await directory.lookUp("999", region: "GB").result == .emergency)
            #expect(await refusal { _ = try await directory.lookUp("+447700900123", region: "UK") } == .invalidArgument)
        }
    }

    @Test("A number has one holder at a time, over all accounts; given away, it is another assignment")
    func oneHolder() async throws {
        try await DirectoryFixture.run { directory in
            let alice = try await directory.user("alice", in: try await directory.account("one"))
            let bob = try await directory.user("bob", in: try await directory.account("two"))
            let first = try await directory.assign("+447700900123", to: alice)
            #expect(await refusal { _ = try await directory.assign("+447700900123", to: bob) } == .alreadyExists)
            #expect(await refusal { _ = try await directory.assign("07700900123", to: alice) } == .alreadyExists)
            try await directory.release("+447700900123")
            #expect(try await directory.lookUp("+447700900123").result == .unknown)
            let second = try await directory.assign("+447700900123", to: bob)
            #expect(second.id != first.id)
            #expect(await refusal { _ = try await directory.number(first.id) } == .notFound)
            #expect(try await directory.lookUp("+447700900123").callee?.userID == bob.id)
            var list = DirectoryV1.ListPhoneNumbersRequest()
            list.user = alice.id
            #expect(try await directory.client.listPhoneNumbers(list).phoneNumbers.isEmpty)
            list.user = bob.id
            #expect(try await directory.client.listPhoneNumbers(list).phoneNumbers == [second])
        }
    }

    @Test("Of many who want one number at once, one gets it")
    func race() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account()
            var users: [DirectoryV1.User] = []
            for index in 0..<8 { users.append(try await directory.user("user\(index)", in: account)) }
            let codes = await withTaskGroup(of: StatusCode?.self) { group in
                for user in users {
                    group.addTask { await refusal { _ = try await directory.assign("+447700900123", to: user) } }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count { $0 == nil } == 1)
            #expect(codes.count { $0 == .alreadyExists } == 7)
        }
    }

    @Test("A deleted user's numbers are free at once, and its personas gone")
    func deleteUser() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account()
            let alice = try await directory.user("alice", in: account)
            _ = try await directory.assign("+447700900123", to: alice)
            var request = DirectoryV1.DeleteUserRequest()
            request.user = alice.id
            _ = try await directory.client.deleteUser(request)
            #expect(await refusal { _ = try await directory.client.deleteUser(request) } == .notFound)
            #expect(try await directory.lookUp("+447700900123").result == .unknown)
            let again = try await directory.user("alice", in: account)
            #expect(again.id != alice.id)
            _ = try await directory.assign("+447700900123", to: again)
            for table in ["persona", "phone_number", "number_holder"] {
                let rows = try await directory.database.query(
                    "SELECT count(*)::integer AS count FROM directory.\(raw: table)")
                #expect(try rows.first?.int("count") == 1, "\(table)")
            }
        }
    }

    @Test("Wrong numbers, foreign personas and missing users are refused")
    func refusals() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account()
            let alice = try await directory.user("alice", in: account)
            let bob = try await directory.user("bob", in: account)
            for number in ["", "999", "alice", "12", "+266696687", "+4477009001234567"] {
                #expect(await refusal { _ = try await directory.assign(number, to: alice) } == .invalidArgument)
            }
            let foreign = bob.defaultPersonaID
            #expect(
                await refusal { _ = try await directory.assign("+447700900123", to: alice, persona: foreign) }
                    == .notFound)
            var nobody = DirectoryV1.User()
            nobody.id = BellwireID.make().description
            #expect(await refusal { _ = try await directory.assign("+447700900123", to: nobody) } == .notFound)
            #expect(try await directory.lookUp("+447700900123").result == .unknown)
        }
    }

    @Test("Numbers are paged by user, by account and over all, each with tokens of its own")
    func paging() async throws {
        try await DirectoryFixture.run { directory in
            let one = try await directory.account("one")
            let alice = try await directory.user("alice", in: one)
            let bob = try await directory.user("bob", in: one)
            let carol = try await directory.user("carol", in: try await directory.account("two"))
            for (index, user) in [alice, bob, carol, alice, bob, alice].enumerated() {
                _ = try await directory.assign("+44770090010\(index)", to: user)
            }
            func all(_ account: String, _ user: String) async throws -> [String] {
                var request = DirectoryV1.ListPhoneNumbersRequest()
                request.account = account
                request.user = user
                request.limit = 2
                var numbers: [String] = []
                repeat {
                    let page = try await directory.client.listPhoneNumbers(request)
                    numbers += page.phoneNumbers.map { String($0.phoneNumber.suffix(1)) }
                    request.after = page.next
                } while !request.after.isEmpty
                return numbers.sorted()
            }
            #expect(try await all("", alice.id) == ["0", "3", "5"])
            #expect(try await all("one", "bob") == ["1", "4"])
            #expect(try await all("one", "") == ["0", "1", "3", "4", "5"])
            #expect(try await all("", "") == ["0", "1", "2", "3", "4", "5"])
        }
    }
}
