import Domain
import Testing

@Suite struct NameTests {
    @Test(arguments: ["+12025550123", "+447700900123", "+12", "+123456789012345"]) func acceptsCanonicalNumbers(
        text: String
    ) {
        #expect(E164(text)?.description == text)
    }

    @Test(arguments: ["", "+", "+1", "12025550123", "+0123456", "+1234567890123456", "+1202555012x", "+1 202", "+１２０２"])
    func refusesEverythingElseAsANumber(text: String) {
        #expect(E164(text) == nil)
    }

    @Test func takesIdentitiesOfBothClients() {
        #expect(Identity("alice_01")?.isPortable == true)
        #expect(Identity("alice-01=")?.isPortable == false)
        #expect(Identity(String(repeating: "a", count: 255))?.isPortable == false)
        #expect(Identity("911")?.isNumeric == true)
    }

    @Test(arguments: ["", "alice bob", "alice@example.com", "ålice", "a/b"]) func refusesOtherIdentities(text: String) {
        #expect(Identity(text) == nil)
        #expect(Identity(String(repeating: "a", count: 256)) == nil)
    }

    @Test func resumeTokensSurviveTheirTextForm() {
        let token = ResumeToken(incarnation: .make(), position: 42)
        #expect(ResumeToken(token.description) == token)
        for text in [
            "", ".", "x.1", "\(token.incarnation)", "\(token.incarnation).-1", "\(token.incarnation).1.2",
            "\(token.incarnation).18446744073709551615",
        ] {
            #expect(ResumeToken(text) == nil, "\(text)")
        }
    }
}
