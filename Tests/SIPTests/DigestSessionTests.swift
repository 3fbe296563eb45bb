import SIP
import Testing

/// Answers to digest challenges, by the vectors of the RFCs.
@Suite struct DigestSessionTests {
    private let get = SIPMethod(rawValue: "GET")
    private let mufasa = SIPCredentials(user: "Mufasa", password: "Circle Of Life")

    private func session(_ more: String = "", isProxy: Bool = false) throws -> DigestSession {
        try #require(
            DigestSession(
                challenge: "Digest realm=\"testrealm@host.com\", nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\"\(more)",
                isProxy: isProxy))
    }

    private func parameter(_ name: String, of header: SIPHeader) -> String? {
        let parts = header.value.dropFirst("Digest ".count).split(separator: ",").map { $0.drop { $0 == " " } }
        let value = parts.first { $0.hasPrefix(name + "=") }?.dropFirst(name.count + 1)
        return value.map { String($0).replacing("\"", with: "") }
    }

    @Test("RFC 2617 section 3.5, with and without qop, and as a session's first")
    func rfc2617() throws {
        for (more, response) in [
            (
                ", qop=\"auth,auth-int\", opaque=\"5ccc069c403ebaf9f0171e9517f40e41\"",
                "6629fae49393a05397450978507c4ef1"
            ),
            ("", "670fd8c2df070c60b045671b8b24ff02"),
            (", qop=auth, algorithm=MD5-sess", "8e3825c57e897f5a0dec6c2d4e5059d0"),
        ] {
            var session = try session(more)
            let header = session.authorize(get, uri: "/dir/index.html", with: mufasa, cnonce: "0a4f113b")
            #expect(header.name == "Authorization")
            #expect(parameter("response", of: header) == response, "\(more)")
            #expect(parameter("nc", of: header) == (more.isEmpty ? nil : "00000001"))
            #expect(parameter("opaque", of: header) == session.opaque)
        }
    }

    @Test("RFC 7616 section 3.9.1, for the algorithm that is spoken here")
    func rfc7616() throws {
        let realm = "Digest realm=\"http-auth@example.org\", qop=\"auth, auth-int\""
        let rest =
            "nonce=\"7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v\", opaque=\"FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS\""
        #expect(DigestSession(challenge: "\(realm), algorithm=SHA-256, \(rest)", isProxy: false) == nil)
        var session = try #require(DigestSession(challenge: "\(realm), algorithm=MD5, \(rest)", isProxy: true))
        let header = session.authorize(
            get, uri: "/dir/index.html", with: SIPCredentials(user: "Mufasa", password: "Circle of Life"),
            cnonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
        #expect(header.name == "Proxy-Authorization")
        #expect(parameter("response", of: header) == "8ca523f5e9506fed4657c9700eebdbec")
    }

    @Test("A nonce's uses are counted in hexadecimal, and survive another process")
    func uses() throws {
        var session = try session(", qop=auth")
        session.uses = 9
        let header = session.authorize(.invite, uri: "sip:a@b", with: mufasa, cnonce: "x")
        #expect(parameter("nc", of: header) == "0000000a")
    }

    @Test(
        "Challenges that cannot be answered are none",
        arguments: [
            "Basic realm=\"x\"", "Digest realm=\"x\"", "Digest nonce=\"x\"", "Digest", "",
            "Digest realm=\"x\", nonce=\"y\", qop=\"auth-int\"", "Digest realm=\"x\", nonce=\"y",
            "Digest realm=\"x\", nonce=\"y\", algorithm=SHA-512-256", "Digest realm \"x\"",
        ])
    func refused(challenge: String) {
        #expect(DigestSession(challenge: challenge, isProxy: false) == nil)
    }

    @Test("What stands between quotes is taken as it is meant, and written so that it is read again")
    func quotes() throws {
        let text = "digest NONCE = \"a\\\"b,c=\\\\\" ,realm=\"r\", realm=\"second\",stale=TRUE"
        var session = try #require(DigestSession(challenge: text, isProxy: false))
        #expect(session.nonce == "a\"b,c=\\")
        #expect(session.realm == "r")
        #expect(session.isStale)
        let header = session.authorize(.invite, uri: "sip:a@b", with: mufasa, cnonce: "x")
        #expect(header.value.contains("nonce=\"a\\\"b,c=\\\\\""))
    }
}
