import Domain
import RPC
import Testing
import Wire

@Suite struct UserTests {
    @Test("A user comes with its defaults and a default persona")
    func defaults() async throws {
        try await DirectoryFixture.run { directory in
            let user = try await directory.user("alice", in: try await directory.account())
            #expect(user.ringTimeSeconds == 30)
            #expect(user.ringPolicy == .allDevices)
            #expect(user.minimumMessageSeconds == 1)
            var request = DirectoryV1.ListPersonasRequest()
            request.user = user.id
            let personas = try await directory.client.listPersonas(request).personas
            #expect(personas.map(\.id) == [user.defaultPersonaID])
            #expect(personas.first?.isDefault == true)
        }
    }

    @Test("An identity is unique inside its account only, with regard to case")
    func identityPerAccount() async throws {
        try await DirectoryFixture.run { directory in
            let one = try await directory.account("one")
            let two = try await directory.account("two")
            let first = try await directory.user("alice", in: one)
            let second = try await directory.user("alice", in: two)
            #expect(await refusal { _ = try await directory.user("alice", in: one) } == .alreadyExists)
            _ = try await directory.user("Alice", in: one)

            var request = DirectoryV1.GetUserRequest()
            request.user = "alice"
            #expect(await refusal { _ = try await directory.client.getUser(request) } == .invalidArgument)
            request.account = "two"
            #expect(try await directory.client.getUser(request).id == second.id)
            request.user = first.id
            #expect(await refusal { _ = try await directory.client.getUser(request) } == .notFound)
            request.account = ""
            #expect(try await directory.client.getUser(request) == first)
        }
    }

    @Test("What the published clients allow as identity is accepted, and nothing else")
    func identityAlphabet() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account()
            for text in ["a", "user911", "911_", "91155512", "A-Z_=", String(repeating: "x", count: 255)] {
                #expect(await refusal { _ = try await directory.user(text, in: account) } == nil, "\(text)")
            }
            for text in [
                "", "a b", "a@b", "é", "a.b", "+447700900123", String(repeating: "x", count: 256), "911", "112", "999",
                "100",
            ] {
                #expect(
                    await refusal { _ = try await directory.user(text, in: account) } == .invalidArgument, "\(text)")
            }
        }
    }

    @Test("An identity with the form of another user's id still names its own user")
    func identityLikeAnID() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account()
            let alice = try await directory.user("alice", in: account)
            let impostor = try await directory.user(alice.id, in: account)
            var request = DirectoryV1.GetUserRequest()
            request.user = alice.id
            #expect(try await directory.client.getUser(request).id == alice.id)
            request.account = account.id
            #expect(try await directory.client.getUser(request).id == impostor.id)
        }
    }

    @Test("Ring time, policy and shortest message are bounded, and change one by one")
    func settings() async throws {
        try await DirectoryFixture.run { directory in
            let account = try await directory.account()
            for seconds: UInt32 in [0, 301, .max] {
                let code = await refusal {
                    _ = try await directory.user("bob", in: account) { $0.ringTimeSeconds = seconds }
                }
                #expect(code == .invalidArgument, "\(seconds)")
            }
            let user = try await directory.user("bob", in: account) {
                $0.ringTimeSeconds = 300
                $0.minimumMessageSeconds = 0
                $0.ringPolicy = .decline
            }
            #expect(user.ringTimeSeconds == 300)
            #expect(user.minimumMessageSeconds == 0)

            var request = DirectoryV1.UpdateUserRequest()
            request.user = "bob"
            request.account = account.name
            request.ringTimeSeconds = 1
            var updated = try await directory.client.updateUser(request)
            #expect(updated.ringTimeSeconds == 1)
            #expect(updated.ringPolicy == .decline)
            #expect(updated.minimumMessageSeconds == 0)
            request.ringTimeSeconds = nil
            request.ringPolicy = .newestDevice
            request.minimumMessageSeconds = 3
            updated = try await directory.client.updateUser(request)
            #expect(updated.ringTimeSeconds == 1)
            #expect(updated.ringPolicy == .newestDevice)
            #expect(updated.minimumMessageSeconds == 3)
            request.ringPolicy = .unrecognized(9)
            #expect(await refusal { _ = try await directory.client.updateUser(request) } == .invalidArgument)
            request.ringPolicy = .unspecified
            request.minimumMessageSeconds = 181
            #expect(await refusal { _ = try await directory.client.updateUser(request) } == .invalidArgument)
            request.minimumMessageSeconds = nil
            request.user = "nobody"
            #expect(await refusal { _ = try await directory.client.updateUser(request) } == .notFound)
        }
    }

    @Test("A default persona stays, one with numbers stays, an idle one goes")
    func personas() async throws {
        try await DirectoryFixture.run { directory in
            let user = try await directory.user("alice", in: try await directory.account())
            var create = DirectoryV1.CreatePersonaRequest()
            create.user = user.id
            create.name = "Shopping"
            let persona = try await directory.client.createPersona(create)
            let number = try await directory.assign("+447700900123", to: user, persona: persona.id)
            #expect(number.personaID == persona.id)

            func delete(_ id: String) async -> StatusCode? {
                await refusal {
                    var request = DirectoryV1.DeletePersonaRequest()
                    request.id = id
                    _ = try await directory.client.deletePersona(request)
                }
            }
            #expect(await delete(user.defaultPersonaID) == .failedPrecondition)
            #expect(await delete(persona.id) == .failedPrecondition)
            try await directory.release(number.id)
            #expect(await delete(persona.id) == nil)
            #expect(await delete(persona.id) == .notFound)
            #expect(await delete("x") == .invalidArgument)
            create.name = "line\nbreak"
            #expect(await refusal { _ = try await directory.client.createPersona(create) } == .invalidArgument)
        }
    }
}
