import SIP
import Testing

/// What must be refused, and how (RFC 3261 section 8.2).
@Suite(.serialized) struct RequestRulesTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: Int
        var header: String?
        var value: String?
        var message: @Sendable (Call) -> String
    }

    static let refusals: [Refusal] = [
        Refusal(testDescription: "BYE for a dialog nobody has", status: 481) {
            $0.request("BYE", cseq: 2, toTag: "nobody")
        },
        Refusal(testDescription: "BYE without To tag", status: 481) { $0.request("BYE", cseq: 2) },
        Refusal(testDescription: "re-INVITE for a dialog nobody has", status: 481) {
            $0.request("INVITE", cseq: 2, toTag: "nobody", body: Call.offer)
        },
        Refusal(testDescription: "OPTIONS in a dialog nobody has", status: 481) {
            $0.request("OPTIONS", cseq: 2, toTag: "nobody")
        },
        Refusal(testDescription: "CANCEL without INVITE", status: 481) { $0.request("CANCEL", cseq: 9) },
        Refusal(testDescription: "Max-Forwards 0", status: 483) { $0.request("INVITE", cseq: 1, maxForwards: 0) },
        Refusal(testDescription: "Require", status: 420, header: "Unsupported", value: "100rel, precondition") {
            $0.invite(headers: ["Require: 100rel, precondition"])
        },
        Refusal(
            testDescription: "known method that is not served", status: 405, header: "Allow",
            value: "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE"
        ) { $0.request("SUBSCRIBE", cseq: 1, headers: ["Event: presence"]) },
        Refusal(testDescription: "unknown method", status: 501, header: "Allow") { $0.request("FROBNICATE", cseq: 1) },
        Refusal(testDescription: "body that is no SDP", status: 415, header: "Accept", value: "application/sdp") {
            $0.request("INVITE", cseq: 1, type: "text/plain", body: "hello")
        },
        Refusal(testDescription: "encoded body", status: 415, header: "Accept-Encoding", value: "identity") {
            $0.invite(headers: ["Content-Encoding: gzip"])
        },
        Refusal(testDescription: "CSeq beyond 2^31 - 1", status: 400) { $0.request("INVITE", cseq: 1 << 31) },
        Refusal(testDescription: "INVITE without Contact", status: 400) { $0.request("INVITE", cseq: 1, contact: nil) },
        Refusal(testDescription: "From without tag", status: 400) {
            $0.invite().replacing(";tag=\($0.fromTag)", with: "")
        },
        Refusal(testDescription: "foreign scheme", status: 416) {
            $0.request("INVITE", cseq: 1, uri: "http://x.example/")
        },
        Refusal(testDescription: "no Call-ID", status: 400) { $0.invite().replacing("Call-ID:", with: "X-Call-ID:") },
        Refusal(testDescription: "CSeq of another method", status: 400) {
            $0.invite().replacing("CSeq: 1 INVITE", with: "CSeq: 1 BYE")
        },
        Refusal(testDescription: "foreign version", status: 505) {
            $0.invite().replacing("SIP/2.0\r\nVia", with: "SIP/3.0\r\nVia")
        },
    ]

    @Test("Refuses", arguments: refusals)
    func refuses(_ refusal: Refusal) async throws {
        try await Harness.run(timers: .shortest) { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            peer.send(refusal.message(Call(peer: peer, endpoint: harness.endpoint.port)))
            let answer = try #require(await peer.receive())
            #expect(answer.status == refusal.status, "\(answer)")
            if let header = refusal.header {
                let value = try #require(answer.header(header))
                if let wanted = refusal.value { #expect(value == wanted) }
            }
            #expect(harness.events.unread == 0)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test("OPTIONS tells what is served")
    func options() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            peer.send(Call(peer: peer, endpoint: harness.endpoint.port).request("OPTIONS", cseq: 1))
            let answer = try #require(await peer.receive("SIP/2.0 200"))
            #expect(answer.header("Allow") == "INVITE, ACK, CANCEL, BYE, OPTIONS, INFO, UPDATE")
            #expect(answer.header("Accept") == "application/sdp")
            #expect(answer.header("Supported") == "")
            #expect(answer.header("Server") == "Bellwire-Test")
        }
    }

    @Test("The same INVITE by another way is a merged request")
    func merged() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            peer.send(call.request("INVITE", cseq: 1, branch: "z9hG4bKone"))
            let invite = try #require(await harness.events.nextInvite())
            peer.send(call.request("INVITE", cseq: 1, branch: "z9hG4bKtwo"))
            #expect(await peer.receive("SIP/2.0 482") != nil)
            harness.endpoint.respond(to: invite.transaction, SIPResponse(404))
            #expect(await peer.receive("SIP/2.0 404") != nil)
            #expect(harness.events.unread == 0)
        }
    }

    @Test("Malformed requests are answered 400 or dropped, and counted")
    func malformed() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            peer.send(call.invite().replacing("CSeq: 1 INVITE", with: "CSeq: many INVITE"))
            #expect(await peer.receive()?.status == 400)
            peer.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            peer.send([0xFF, 0x00, 0x17, 0x80, 0x0D, 0x0A])
            peer.send(call.invite().replacing("Via:", with: "X-Via:"))
            peer.send("\r\n\r\n")
            // All of them came before this one.
            peer.send(call.request("OPTIONS", cseq: 7))
            #expect(await peer.receive()?.header("CSeq") == "7 OPTIONS")
            _ = await harness.endpoint.statistics()
            #expect(harness.count("sip_malformed_total", ["outcome": "answered"]) >= 1)
            #expect(harness.count("sip_malformed_total", ["outcome": "dropped"]) >= 1)
            #expect(harness.events.unread == 0)
        }
    }

    @Test("A header value with a line break does not become a header")
    func injection() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            peer.send(Call(peer: peer, endpoint: harness.endpoint.port).invite())
            let invite = try #require(await harness.events.nextInvite())
            harness.endpoint.respond(
                to: invite.transaction,
                SIPResponse(
                    603, reasonPhrase: "No\r\nX-A: 1", body: SIPBody(contentType: "text/plain\r\nX-B: 1", bytes: [65]),
                    headers: [
                        SIPHeader("X-C", "1\r\nX-D: 1"), SIPHeader("X-E\r\nX-F", "1"), SIPHeader("X-Good", "yes"),
                    ]))
            let answer = try #require(await peer.receive("SIP/2.0 603"))
            #expect(answer.header("X-Good") == "yes")
            for name in ["X-A", "X-B", "X-C", "X-D", "X-E", "X-F"] { #expect(answer.header(name) == nil) }
        }
    }
}
