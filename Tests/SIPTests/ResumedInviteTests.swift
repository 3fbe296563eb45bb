import SIP
import Testing

/// INVITEs of ours that another process sent: the endpoint on the same address goes on with each from the state that was stored.
@Suite(.serialized) struct ResumedInviteTests {
    /// The process of before: silent from one moment to the next.
    private func die(_ harness: Harness) async -> UInt16 {
        let port = harness.endpoint.port
        harness.endpoint.fallSilent()
        await harness.endpoint.stop()
        return port
    }

    /// An endpoint that sends an INVITE and is gone, its stored state, and what the callee got.
    private func abandoned(
        credentials: SIPCredentials? = nil, _ before: (Callee, String, Harness) async throws -> Void = { _, _, _ in }
    ) async throws -> (callee: Callee, state: InviteState, message: String, port: UInt16) {
        let old = try await Harness()
        let callee = Callee(of: old.endpoint.port)
        let state = old.endpoint.prepare(callee.invite(acknowledgesManually: true))
        old.endpoint.invite(state, credentials: credentials)
        let message = try #require(await callee.request("INVITE"))
        try await before(callee, message, old)
        return (callee, state, message, await die(old))
    }

    @Test("Sent and unheard: rings, and its 200 is acknowledged")
    func unheard() async throws {
        let (callee, state, message, port) = try await abandoned()
        try await Harness.run(port: port) { new in
            new.endpoint.resume(state)
            await new.endpoint.flush()
            callee.answer("180 Ringing", to: message, tag: "one")
            #expect(try await new.events.nextAnswer().status == 180)
            callee.answer("200 OK", to: message, tag: "one", body: Callee.description)
            let answer = try await new.events.nextAnswer()
            #expect(answer.isAnswer && answer.awaitsAcknowledgement)
            let dialog = try #require(answer.dialog)
            new.endpoint.acknowledge(dialog.id)
            #expect(await callee.request("ACK")?.header("CSeq") == "1 ACK")
            new.endpoint.sendBye(in: dialog.id)
            let bye = try #require(await callee.request("BYE"))
            callee.peer.send(Call.response("200 OK", to: bye))
        }
    }

    @Test("Ringing: a refusal is acknowledged on the branch of the process before")
    func refused() async throws {
        let (callee, state, message, port) = try await abandoned { callee, message, old in
            callee.answer("180 Ringing", to: message, tag: "one")
            _ = try await old.events.nextAnswer()
        }
        try await Harness.run(port: port) { new in
            new.endpoint.resume(state)
            await new.endpoint.flush()
            callee.answer("486 Busy Here", to: message, tag: "one")
            #expect(try await new.events.nextAnswer().status == 486)
            let ack = try #require(await callee.request("ACK"))
            #expect(ack.branch == message.branch && ack.toTag == "one")
        }
    }

    @Test("Ringing: CANCEL goes out at once, and whoever answers all the same hears BYE")
    func cancelled() async throws {
        let (callee, state, message, port) = try await abandoned { callee, message, old in
            callee.answer("180 Ringing", to: message, tag: "one")
            _ = try await old.events.nextAnswer()
        }
        try await Harness.run(port: port) { new in
            new.endpoint.resume(state)
            await new.endpoint.flush()
            new.endpoint.cancel(state.id)
            let cancel = try #require(await callee.request("CANCEL"))
            #expect(cancel.branch == message.branch && cancel.header("CSeq") == "1 CANCEL")
            callee.peer.send(Call.response("200 OK", to: cancel))
            #expect(try await new.events.nextAnswer().status == 487)
        }
    }

    @Test("Challenged, and the second attempt was not stored: its answer is recognised all the same")
    func challenged() async throws {
        let credentials = SIPCredentials(user: "u", password: "p")
        var second: String?
        let (callee, state, _, port) = try await abandoned(credentials: credentials) { callee, message, _ in
            callee.answer(
                "407 Proxy", to: message, tag: "p", headers: ["Proxy-Authenticate: Digest realm=\"r\", nonce=\"n\""])
            second = await callee.request("INVITE")
        }
        let message = try #require(second)
        #expect(message.header("CSeq") == "2 INVITE")
        try await Harness.run(port: port) { new in
            new.endpoint.resume(state, credentials: credentials)
            await new.endpoint.flush()
            callee.answer("200 OK", to: message, tag: "one", body: Callee.description)
            var answer: InviteResponse?
            for _ in 0..<4 where answer?.isAnswer != true {
                if case .inviteResponse(let response) = await new.events.next() { answer = response }
            }
            let dialog = try #require(answer?.dialog)
            new.endpoint.acknowledge(dialog.id)
            #expect(await callee.request("ACK")?.header("CSeq") == "2 ACK")
        }
    }

    @Test("Answered, and nobody stored it: the repeated 200 is the answer")
    func answered() async throws {
        let (callee, state, message, port) = try await abandoned { callee, message, old in
            callee.answer("200 OK", to: message, tag: "one", body: Callee.description)
            _ = try await old.events.nextAnswer()
        }
        try await Harness.run(port: port) { new in
            new.endpoint.resume(state)
            await new.endpoint.flush()
            callee.answer("200 OK", to: message, tag: "one", body: Callee.description)
            let answer = try await new.events.nextAnswer()
            new.endpoint.acknowledge(try #require(answer.dialog).id)
            #expect(await callee.request("ACK")?.toTag == "one")
        }
    }

    @Test("A caller's INVITE: repeated, cancelled, or answered with the tag that the caller knows")
    func incoming() async throws {
        for isCancelled in [true, false] {
            let old = try await Harness()
            let peer = RawPeer(udp: old.endpoint.port)
            let call = Call(peer: peer, endpoint: old.endpoint.port)
            peer.send(call.request("INVITE", cseq: 1, branch: "z9hG4bKstored", body: Call.offer))
            let invite = try #require(await old.events.nextInvite())
            old.endpoint.respond(to: invite.transaction, SIPResponse(180))
            let tag = try #require(await peer.receive("SIP/2.0 180")?.toTag)
            let port = await die(old)
            try await Harness.run(port: port) { new in
                let transaction = new.endpoint.resume(storedInvite: invite.rawMessage, of: invite.dialog)
                await new.endpoint.flush()
                if isCancelled {
                    peer.send(call.request("CANCEL", cseq: 1, branch: "z9hG4bKstored"))
                    #expect(await peer.answer(to: "1 CANCEL")?.status == 200)
                    #expect(await peer.answer(to: "1 INVITE")?.status == 487)
                    guard case .cancelled(transaction, _, _) = await new.events.next() else {
                        Issue.record("no CANCEL")
                        return
                    }
                } else {
                    new.endpoint.respond(to: transaction, SIPResponse(200, body: .sdp(Callee.description)))
                    let answer = try #require(
                        await peer.receive("SIP/2.0 200") { call.request("ACK", cseq: 1, toTag: $0.toTag) })
                    #expect(answer.toTag == tag)
                    guard case .acknowledged(transaction, _, _) = await new.events.next() else {
                        Issue.record("no ACK")
                        return
                    }
                }
            }
        }
    }
}
