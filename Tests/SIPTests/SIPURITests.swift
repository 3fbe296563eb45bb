import SIP
import Testing

@Suite struct SIPURITests {
    @Test(
        "URIs of RFC 3261 and RFC 3966 are read and written again",
        arguments: [
            "sip:alice@atlanta.com", "sips:alice@atlanta.com:5061;transport=tcp",
            "sip:atlanta.com;method=REGISTER?to=alice",
            "sip:+1-212-555-1212@gateway.com;user=phone", "sip:alice;day=tuesday@atlanta.com",
            "sip:[2001:db8::10]:5070",
            "tel:+1-201-555-0123", "tel:7042;phone-context=example.com", "sip:j%40s0n@example.com",
        ])
    func roundTrip(text: String) throws {
        let uri = try #require(SIPURI(text))
        #expect(SIPURI(uri.text) == uri)
        #expect(uri.text == text.replacing("j%40s0n", with: "j%40s0n"))
    }

    @Test(
        "What is no URI is refused",
        arguments: [
            "", "sip:", "alice@atlanta.com", "sip:@host", "sip:host:", "sip:host:99999", "sip:host:5 060", "sip:[::1",
            "sip:a@b@",
            "sip:h;", "sip:h;=x", "sip:%zz@h", "sip:%0d%0a@h", "sip:ho st", "http://h/", "tel:", "sip:\u{E9}@h\u{E9}",
        ])
    func refused(text: String) { #expect(SIPURI(text) == nil) }

    @Test(
        "Numbers are found in user parts",
        arguments: [
            ("sip:+1-212-555-1212@gw;user=phone", "+12125551212"), ("tel:+1-201-555-0123", "+12015550123"),
            ("sip:00447700900123@gw", "00447700900123"), ("sip:+14155550100@gw:5060", "+14155550100"),
            ("sip:911;phone-context=+1@gw", "911"), ("sip:alice@gw", nil), ("sip:a1@gw", nil), ("sip:gw", nil),
            ("sip:1-2@gw", nil),
        ])
    func numbers(text: String, number: String?) throws { #expect(try #require(SIPURI(text)).number == number) }

    @Test("Addresses with quotes, brackets and parameters")
    func addresses() throws {
        let full = try #require(SIPAddress("\"Al \\\"Q\\\" <x>\" <sip:a@h;lr>;tag=5;x=y"))
        #expect(full.displayName == "Al \"Q\" <x>" && full.tag == "5" && full.uri.parameter("lr") == "")
        #expect(SIPAddress(full.text) == full)
        let bare = try #require(SIPAddress("sip:a@h;tag=6"))
        #expect(bare.uri.parameters.isEmpty && bare.tag == "6")
        let token = try #require(SIPAddress("Bob Smith <sip:b@h>"))
        #expect(token.displayName == "Bob Smith" && token.tag == nil)
        let long = String(repeating: "n", count: 59)
        #expect(SIPAddress("\"\(long)\" <sip:b@h>")?.displayName == long)
        for text in ["\"x <sip:a@h>", "<sip:a@h", "\"x\" sip:a@h", "<>", ""] { #expect(SIPAddress(text) == nil) }
    }

    @Test(
        "Nothing personal stands in a description",
        arguments: [
            "sip:+14155550100@198.51.100.7;user=phone", "tel:+14155550100", "sip:alice@198.51.100.7:5060",
        ])
    func redaction(text: String) throws {
        let uri = try #require(SIPURI(text))
        let peer = SIPPeer(transport: .udp, host: "198.51.100.7", port: 5060)
        for shown in [
            "\(uri)", uri.redacted, "\(SIPAddress(displayName: "Alice", uri: uri))", "\(peer)", peer.redacted,
        ] {
            for secret in ["4155550100", "alice", "Alice", "198.51"] { #expect(!shown.contains(secret)) }
        }
    }
}
