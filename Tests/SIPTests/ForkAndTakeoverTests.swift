import SIP
import Testing

/// Answers to INVITEs of ours that come from elsewhere than expected, or after the process that sent them.
@Suite("Answers to an INVITE of ours", .serialized)
struct ForkAndTakeoverTests {
    private static func outgoing(to host: String = "127.0.0.1", _ port: UInt16) -> OutgoingInvite {
        let target = SIPURI(user: "bob", host: host, port: port)
        return OutgoingInvite(
            target: target, from: SIPAddress(uri: SIPURI(user: "alice", host: "127.0.0.1")),
            to: SIPAddress(uri: target), body: .sdp(Call.offer))
    }

    private static func answer(_ invite: String, tag: String, _ peer: RawPeer) -> String {
        Call.response(
            "200 OK", to: invite,
            headers: ["Contact: <sip:\(tag)@127.0.0.1:\(peer.port)>"]
        ).components("\r\n").map { $0.hasPrefix("To:") ? "\($0);tag=\(tag)" : $0 }.joined(separator: "\r\n")
    }

    @Test(
        "a second branch's 2xx is acknowledged each time it comes, and ended by one BYE that is repeated until its answer"
    )
    func secondBranch() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            harness.endpoint.invite(harness.endpoint.prepare(Self.outgoing(peer.port)))
            let invite = try #require(await peer.receive("INVITE "))
            peer.send(Self.answer(invite, tag: "first", peer))
            #expect(await peer.receive("ACK ")?.toTag == "first")
            peer.send(Self.answer(invite, tag: "second", peer))
            #expect(await peer.receive("ACK ")?.toTag == "second")
            let bye = try #require(await peer.receive("BYE "))
            #expect(bye.hasPrefix("BYE sip:second@127.0.0.1:\(peer.port) SIP/2.0") && bye.toTag == "second")
            peer.send(Self.answer(invite, tag: "second", peer))
            #expect(await peer.receive("ACK ")?.toTag == "second")
            let again = try #require(await peer.receive("BYE "), "it is repeated")
            #expect(again.header("Via") == bye.header("Via") && again.header("CSeq") == bye.header("CSeq"))
            peer.send(Call.response("200 OK", to: bye))
            while await peer.receive(within: 200) != nil {}
            peer.send(Self.answer(invite, tag: "second", peer))
            #expect(await peer.receive(within: 500)?.hasPrefix("ACK ") == true)
            #expect(await peer.receive(within: 300) == nil, "it has had its BYE")
            #expect(await harness.endpoint.statistics().dialogs == 1)
        }
    }

    @Test("a 2xx whose ACK the process before did not send is acknowledged when it comes again")
    func acknowledgedByTheNext() async throws {
        let old = try await Harness()
        let port = old.endpoint.port
        let peer = RawPeer(udp: port)
        var outgoing = Self.outgoing(peer.port)
        outgoing.acknowledgesManually = true
        old.endpoint.invite(old.endpoint.prepare(outgoing))
        let invite = try #require(await peer.receive("INVITE "))
        peer.send(Self.answer(invite, tag: "bob", peer))
        guard case .inviteResponse(let answered) = await old.events.next(), let dialog = answered.dialog else {
            Issue.record("no answer")
            return await old.endpoint.stop()
        }
        await old.endpoint.stop()
        try await Harness.run(port: port) { new in
            new.endpoint.adopt(dialog.restored())
            await new.endpoint.flush()
            for _ in 1...2 {
                peer.send(Self.answer(invite, tag: "bob", peer))
                let ack = try #require(await peer.receive("ACK "))
                #expect(ack.toTag == "bob" && ack.header("CSeq") == "1 ACK")
                #expect(ack.hasPrefix("ACK sip:bob@127.0.0.1:\(peer.port) "))
            }
            peer.send(Self.answer(invite, tag: "nobody", peer))
            #expect(await peer.receive(within: 300) == nil)
            new.endpoint.forget(dialog.id)
        }
    }

    @Test("an INVITE to a host name is sent again by the process that takes it over, under the same branch")
    func hostName() async throws {
        try await Harness.run { old in
            let state = old.endpoint.prepare(Self.outgoing(to: "localhost", 0))
            try await Harness.run(timers: .shortest) { new in
                let peer = RawPeer(udp: new.endpoint.port)
                var moved = state
                moved.target.port = peer.port
                new.endpoint.resume(moved)
                let invite = await peer.receive("INVITE ", within: 1000)
                // A machine that cannot look the name up says so.
                guard let invite else {
                    guard case .inviteResponse(let response) = await new.events.next() else {
                        Issue.record("neither sent nor given up")
                        return
                    }
                    #expect(response.status == 503 || response.status == 408)
                    return
                }
                #expect(invite.header("Via")?.contains(moved.branchKey) == true)
                new.endpoint.cancel(moved.id)
                while case .some(let event) = await new.events.next() {
                    if case .inviteResponse(let response) = event, response.isFinal { break }
                }
            }
        }
    }
}
