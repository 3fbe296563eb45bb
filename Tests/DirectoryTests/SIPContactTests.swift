import RPC
import Testing
import Wire

@Suite struct SIPContactTests {
    @Test("A user's contacts are listed newest first, in one form, and go with the user")
    func lifeOfAContact() async throws {
        try await DirectoryFixture.run { directory in
            let user = try await directory.user("alice", in: try await directory.account())
            let first = try await directory.contact("SIP:alice@192.0.2.7", of: user)
            let second = try await directory.contact("sip:Phone.Example:5070;transport=TCP", of: user)
            #expect(first.uri == "sip:alice@192.0.2.7:5060")
            #expect(second.uri == "sip:phone.example:5070;transport=tcp")
            #expect(await refusal { _ = try await directory.contact(first.uri, of: user) } == .alreadyExists)

            var list = DirectoryV1.ListSIPContactsRequest()
            list.user = user.id
            #expect(try await directory.client.listSIPContacts(list).contacts == [second, first])
            var delete = DirectoryV1.DeleteSIPContactRequest()
            delete.id = first.id
            _ = try await directory.client.deleteSIPContact(delete)
            #expect(await refusal { _ = try await directory.client.deleteSIPContact(delete) } == .notFound)
            #expect(try await directory.client.listSIPContacts(list).contacts == [second])

            var remove = DirectoryV1.DeleteUserRequest()
            remove.user = user.id
            _ = try await directory.client.deleteUser(remove)
            #expect(await refusal { _ = try await directory.client.listSIPContacts(list) } == .notFound)
            delete.id = second.id
            #expect(await refusal { _ = try await directory.client.deleteSIPContact(delete) } == .notFound)
        }
    }

    @Test("What is no plain SIP address is refused, and so is the twenty-first contact")
    func refusals() async throws {
        try await DirectoryFixture.run { directory in
            let user = try await directory.user("alice", in: try await directory.account())
            for uri in [
                "", "alice", "tel:+12025550100", "sips:a@192.0.2.1", "sip:", "sip:@192.0.2.1", "sip:a@", "sip:a@b@c",
                "sip:a@192.0.2.1:0", "sip:a@192.0.2.1:70000", "sip:a@192.0.2.1;transport=tls",
                "sip:a@192.0.2.1;lr", "sip:a@192.0.2.1?Route=x", "sip:a b@192.0.2.1", "sip:a>@192.0.2.1",
                "sip:a@192.0.2.1\r\nVia: x",
            ] {
                #expect(await refusal { _ = try await directory.contact(uri, of: user) } == .invalidArgument, "\(uri)")
            }
            for port in 1...20 { _ = try await directory.contact("sip:192.0.2.1:\(port)", of: user) }
            #expect(
                await refusal { _ = try await directory.contact("sip:192.0.2.1:21", of: user) } == .failedPrecondition)
        }
    }
}
