import SIP
import Testing

/// INVITEs of ours that are challenged.
@Suite(.serialized) struct OutgoingDigestTests {
    private let credentials = SIPCredentials(user: "trunk", password: "secret")

    private func challenge(_ realm: String, nonce: String, more: String = "") -> String {
        "Digest realm=\"\(realm)\", nonce=\"\(nonce)\", qop=\"auth\", algorithm=MD5\(more)"
    }

    /// Whether a header answers a challenge with our password.
    private func isProof(_ header: String?, of challenge: String, uses: UInt32 = 1, uri: String) throws -> Bool {
        let text = try #require(header)
        func value(_ name: String) -> String? {
            text.components(", ").first { $0.hasPrefix("\(name)=\"") }?.dropFirst(name.count + 2).dropLast()
                .description
        }
        var session = try #require(DigestSession(challenge: challenge, isProxy: false))
        session.uses = uses - 1
        let cnonce = try #require(value("cnonce"))
        let right = session.authorize(.invite, uri: uri, with: credentials, cnonce: cnonce)
        return text == right.value
    }

    @Test("407, then 401 of another realm: each attempt proves the password to all, after it was reported to be stored")
    func challenged() async throws {
        try await Harness.run { harness in
            let callee = Callee(of: harness.endpoint.port)
            let state = harness.endpoint.prepare(callee.invite())
            harness.endpoint.invite(state, credentials: credentials)
            let first = try #require(await callee.request("INVITE"))
            #expect(first.header("Proxy-Authorization") == nil)
            let proxy = challenge("proxy", nonce: "n1")
            callee.answer("407 Proxy", to: first, tag: "p", headers: ["Proxy-Authenticate: \(proxy)"])
            #expect(await callee.request("ACK")?.branch == first.branch)
            guard case .inviteChanged(let second) = await harness.events.next() else {
                Issue.record("the second attempt was not reported")
                return
            }
            #expect(second.cseq == 2 && second.id == state.id)
            let again = try #require(await callee.request("INVITE"))
            #expect(again.header("CSeq") == "2 INVITE" && again.header("Call-ID") == first.header("Call-ID"))
            #expect(again.branch == second.branch(of: 2) && again.header("To") == first.header("To"))
            #expect(try isProof(again.header("Proxy-Authorization"), of: proxy, uri: state.requestURI))

            let server = challenge("server", nonce: "n2")
            callee.answer("401 Unauthorized", to: again, tag: "s", headers: ["WWW-Authenticate: \(server)"])
            #expect(await callee.request("ACK")?.branch == again.branch)
            guard case .inviteChanged = await harness.events.next() else {
                Issue.record("the third attempt was not reported")
                return
            }
            let third = try #require(await callee.request("INVITE"))
            #expect(try isProof(third.header("Proxy-Authorization"), of: proxy, uses: 2, uri: state.requestURI))
            #expect(try isProof(third.header("Authorization"), of: server, uri: state.requestURI))
            callee.answer("200 OK", to: third, tag: "s", body: Callee.description)
            #expect(try await harness.events.nextAnswer().isAnswer)
            let ack = try #require(await callee.request("ACK"))
            #expect(ack.header("CSeq") == "3 ACK" && ack.header("Authorization") == third.header("Authorization"))
        }
    }

    @Test("A wrong password is refused once; a nonce that is too old is answered anew")
    func wrongAndStale() async throws {
        try await Harness.run { harness in
            let callee = Callee(of: harness.endpoint.port)
            harness.endpoint.invite(harness.endpoint.prepare(callee.invite()), credentials: credentials)
            var last = try #require(await callee.request("INVITE"))
            for (nonce, more) in [("n1", ""), ("n2", ", stale=true")] {
                callee.answer(
                    "407 Proxy", to: last, tag: "p",
                    headers: ["Proxy-Authenticate: \(challenge("proxy", nonce: nonce, more: more))"])
                last = try #require(await callee.request("INVITE"))
                guard case .inviteChanged = await harness.events.next() else {
                    Issue.record("no further attempt")
                    return
                }
            }
            callee.answer(
                "407 Proxy", to: last, tag: "p", headers: ["Proxy-Authenticate: \(challenge("proxy", nonce: "n3"))"])
            let answer = try await harness.events.nextAnswer()
            #expect(answer.status == 407 && answer.isFromPeer)
            #expect(await harness.statisticsAtRest(ignoringTimerD: true) == SIPStatistics())
        }
    }

    @Test("Without credentials, or with a challenge that nobody understands, the refusal stands")
    func unanswerable() async throws {
        for (credentials, challenge) in [
            (nil, "Digest realm=\"r\", nonce=\"n\""),
            (credentials, "Digest realm=\"r\", nonce=\"n\", algorithm=SHA-256"),
            (credentials, "Basic realm=\"r\""),
        ] {
            try await Harness.run { harness in
                let callee = Callee(of: harness.endpoint.port)
                harness.endpoint.invite(harness.endpoint.prepare(callee.invite()), credentials: credentials)
                let invite = try #require(await callee.request("INVITE"))
                callee.answer("401 Unauthorized", to: invite, tag: "p", headers: ["WWW-Authenticate: \(challenge)"])
                #expect(try await harness.events.nextAnswer().status == 401)
            }
        }
    }
}
