import SIP
import Testing

/// Splitmix64: the same bytes in each run.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

@Suite(.serialized) struct FuzzTests {
    static func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[at] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 2: bytes.remove(at: at)
            case 3: bytes.insert(contentsOf: Array(";,:<>\"@=\r\n\0 ".utf8).shuffled(using: &random).prefix(3), at: at)
            case 4: bytes.removeLast(min(bytes.count - 1, Int.random(in: 0..<64, using: &random)))
            default:
                let end = min(bytes.count, at + Int.random(in: 1..<80, using: &random))
                bytes.insert(contentsOf: bytes[at..<end], at: at)
            }
        }
        return bytes
    }

    /// A well-formed request is answered; it is repeated when it got lost in a full buffer.
    private static func isAlive(_ harness: Harness) async -> Bool {
        let peer = RawPeer(udp: harness.endpoint.port)
        let request = Call(peer: peer, endpoint: harness.endpoint.port).request("OPTIONS", cseq: 1)
        for _ in 0..<40 {
            peer.send(request)
            if await peer.receive("SIP/2.0 200", within: 100) != nil { return true }
        }
        return false
    }

    @Test("20,000 mutated requests over UDP: the endpoint answers the next caller and holds nothing in the end")
    func datagrams() async throws {
        let answer: Harness.Reaction = { event, endpoint in
            switch event {
            case .invite(let invite):
                _ = invite.dialog.routing
                endpoint.respond(to: invite.transaction, SIPResponse(180))
                endpoint.respond(to: invite.transaction, SIPResponse(invite.cseq % 2 == 0 ? 200 : 486))
            case .request(let request): endpoint.respond(to: request.transaction, SIPResponse(200))
            case .failed(_, let dialog, _): endpoint.forget(dialog)
            default: break
            }
        }
        try await Harness.run(timers: .shortest, reaction: answer) { harness in
            var random = SeededGenerator(state: 0xBE11)
            let peer = RawPeer(udp: harness.endpoint.port)
            var call = Call(peer: peer, endpoint: harness.endpoint.port)
            call.fromTag = "far"
            for index in 0..<20_000 {
                call.callID = "fuzz-\(index)"
                let methods = ["INVITE", "INVITE", "INVITE", "ACK", "CANCEL", "BYE", "UPDATE", "INFO", "OPTIONS"]
                let method = methods[index % methods.count]
                let text = call.request(
                    method, cseq: 1 + index % 4, toTag: method == "INVITE" ? nil : "x",
                    headers: [
                        "P-Asserted-Identity: \"Bob\" <sip:+14155550111@192.0.2.1>, <tel:+14155550111>",
                        "Privacy: none",
                        "Record-Route: <sip:192.0.2.9;lr>", "Require: ", "Reason: Q.850;cause=16",
                    ], body: method == "INVITE" ? Call.offer : "")
                peer.send(Self.mutate(Array(text.utf8), &random))
                // The socket's buffer would hide most of them.
                if index % 100 == 99 { #expect(await Self.isAlive(harness)) }
            }
            #expect(await harness.statisticsAtRest() == SIPStatistics())
            #expect(harness.count("sip_messages_total", ["direction": "received"]) > 19_000)
            #expect(harness.count("sip_malformed_total", ["outcome": "answered"]) > 100)
        }
    }

    @Test("10,000 mutated answers to INVITEs of ours: each call ends or is given up, and nothing is held in the end")
    func answers() async throws {
        let credentials = SIPCredentials(user: "u", password: "p")
        let react: Harness.Reaction = { event, endpoint in
            guard case .inviteResponse(let response) = event, response.isAnswer, let dialog = response.dialog else {
                return
            }
            if response.awaitsAcknowledgement { endpoint.acknowledge(dialog.id, body: .sdp(Call.offer)) }
            endpoint.sendBye(in: dialog.id)
        }
        try await Harness.run(timers: .shortest, reaction: react) { harness in
            var random = SeededGenerator(state: 0xCA11)
            let statuses = [
                "100 Trying", "180 Ringing", "183 Progress", "200 OK", "200 OK", "302 Moved", "401 Who", "407 Who",
                "422 Short", "486 Busy", "603 No",
            ]
            for round in 0..<100 {
                let callee = Callee(of: harness.endpoint.port)
                let state = harness.endpoint.prepare(callee.invite(body: round % 3 == 0 ? nil : .sdp(Call.offer)))
                harness.endpoint.invite(state, credentials: credentials)
                let invite = try #require(await callee.request("INVITE"))
                for index in 0..<100 {
                    let text = Call.response(
                        statuses[Int.random(in: 0..<statuses.count, using: &random)],
                        to: invite.replacing("To: <", with: "To: \"B\" <"),
                        headers: [
                            "Contact: <sip:bob@127.0.0.1:\(callee.peer.port);x=\(index)>, <sip:b@[::1]>;q=0.1",
                            "Record-Route: <sip:127.0.0.1:\(callee.peer.port);lr>", "Content-Type: application/sdp",
                            "WWW-Authenticate: Digest realm=\"r\", nonce=\"n\(index)\", qop=\"auth\"",
                            "Proxy-Authenticate: Digest realm=\"p\", nonce=\"n\", algorithm=MD5-sess, stale=true",
                            "Min-SE: 90", "Retry-After: 9 (now);duration=2", "Reason: SIP;cause=200;text=\"x\"",
                        ], body: Callee.description)
                    callee.peer.send(Self.mutate(Array(text.utf8), &random))
                }
                harness.endpoint.cancel(state.id)
            }
            #expect(await Self.isAlive(harness))
            #expect(await harness.statisticsAtRest(ignoringTimerD: true) == SIPStatistics())
        }
    }

    @Test("Addresses of any bytes are refused or survive a round trip")
    func addresses() {
        var random = SeededGenerator(state: 7)
        let samples = [
            "\"Alice \\\"A\\\"\" <sips:alice;x=1:pw@[2001:db8::1]:5061;transport=tcp;lr?a=b>;tag=77;x=\"y\"",
            "<tel:+1-415-555-0100;phone-context=+1>;tag=1", "sip:bob%20b@example.com:5060;tag=9",
        ]
        var accepted = 0
        for index in 0..<30_000 {
            let text = String(decoding: Self.mutate(Array(samples[index % 3].utf8), &random), as: UTF8.self)
            guard let address = SIPAddress(text) else { continue }
            accepted += 1
            #expect(SIPAddress(address.text)?.uri == address.uri, "\(text)")
            _ = address.uri.number
        }
        #expect(accepted > 1000)
    }
}
