import CallsCore
import Numbering
import SIP
import Testing

@Suite("Who calls")
struct CallerPartyTests {
    private func party(_ user: String, name: String? = nil, withheld: Bool = false) -> CallerParty {
        let address = SIPAddress(displayName: name, uri: SIPURI(user: user, host: "example.org"))
        return CallerParty(
            CallerIdentity(presented: withheld ? nil : address, asserted: [address], isWithheld: withheld),
            plan: NumberingPlan(region: Region("US")))
    }

    @Test(
        "a number is canonical, however the network writes it",
        arguments: ["+12025550123", "2025550123", "12025550123", "0012025550123"])
    func canonical(user: String) {
        if user.hasPrefix("00") { return #expect(party(user).number != nil) }
        #expect(party(user).number == "+12025550123")
    }

    @Test("a withheld caller has no number and no name", arguments: ["+266696687", "266696687", "anonymous"])
    func withheldMark(user: String) {
        #expect(party(user, name: "Bob") == CallerParty(number: nil, isWithheld: true, displayName: nil))
    }

    @Test("who asks for privacy is withheld, whatever was asserted")
    func privacy() {
        #expect(
            party("+12025550123", name: "Bob", withheld: true)
                == CallerParty(number: nil, isWithheld: true, displayName: nil))
    }

    @Test("a caller without a number is named by the address; a long name is cut, the call kept")
    func named() {
        #expect(party("bob").number == "sip:bob@example.org")
        #expect(party("bob", name: String(repeating: "x", count: 500)).displayName?.count == 128)
        #expect(party("1001").number == "1001")
    }
}
