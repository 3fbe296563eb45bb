import SIP
import Testing

@Suite struct CallerIdentityTests {
    private func identity(_ from: String, _ asserted: [String] = [], privacy: String? = nil) throws -> CallerIdentity {
        CallerIdentity(from: try #require(SIPAddress(from)), asserted: asserted, privacy: privacy)
    }

    @Test("The asserted identity is believed before From")
    func asserted() throws {
        let caller = try identity(
            "\"Me, myself\" <sip:me@h>", ["\"Bob, the \\\"B\\\"\" <sip:+14155550111@h>, <tel:+14155550111>"],
            privacy: "none")
        #expect(caller.presented?.uri.number == "+14155550111" && caller.asserted.count == 2 && !caller.isWithheld)
        #expect(try identity("<sip:+14155550100@h>", ["nonsense"]).presented?.uri.number == "+14155550100")
    }

    @Test(
        "Withheld callers are never dialable",
        arguments: [
            ("\"Anonymous\" <sip:anonymous@anonymous.invalid>", nil), ("<sip:Anonymous@192.0.2.1>", nil),
            ("<sip:+266696687@192.0.2.1>", nil), ("<sip:266696687@192.0.2.1;user=phone>", nil),
            ("<tel:+266696687>", nil),
            ("<sip:+14155550100@h>", "id"), ("<sip:+14155550100@h>", "user;id"),
            ("<sip:+14155550100@h>", "header; critical"),
            ("<sip:unavailable@h>", "none"), ("<sip:restricted@h>", nil),
        ])
    func withheld(from: String, privacy: String?) throws {
        let caller = try identity(from, ["<sip:+14155550111@h>"], privacy: privacy)
        #expect(caller.isWithheld && caller.presented == nil)
        #expect(caller.asserted.first?.uri.number == "+14155550111")
    }

    @Test("A name that only looks like it is not withheld")
    func notWithheld() throws {
        #expect(try identity("\"Anonymous\" <sip:+14155550100@h>").presented != nil)
        #expect(try identity("<sip:+12666966870@h>").presented != nil)
    }
}
