import SIP
import Testing

/// Calls that the endpoint sets up: provisional responses, forks, ends.
@Suite(.serialized) struct OutgoingInviteTests {
    @Test("Rings, is answered and acknowledged, and each repetition of the 200 is acknowledged again")
    func answered() async throws {
        try await Harness.run { harness in
            let callee = Callee(of: harness.endpoint.port)
            let state = harness.endpoint.prepare(callee.invite(headers: [SIPHeader("Max-Forwards", "12")]))
            harness.endpoint.invite(state)
            let invite = try #require(await callee.request("INVITE"))
            #expect(invite.branch == state.branch(of: 1))
            #expect(invite.header("Max-Forwards") == "12")
            #expect(invite.header("From")?.hasSuffix(";tag=\(state.id.localTag)") == true)
            #expect(invite.hasSuffix(Call.offer))
            callee.answer("100 Trying", to: invite)
            callee.answer("180 Ringing", to: invite, tag: "one")
            let ringing = try await harness.events.nextAnswer()
            #expect(ringing.status == 180 && ringing.remoteTag == "one" && ringing.dialog?.isOpenedByUs == true)
            callee.answer("200 OK", to: invite, tag: "one", body: Callee.description)
            let answer = try await harness.events.nextAnswer()
            #expect(answer.isAnswer && !answer.awaitsAcknowledgement)
            #expect(answer.body == .sdp(Callee.description))
            #expect(answer.dialog?.remoteTarget.user == "bob-one")
            for _ in 0..<3 {
                let ack = try #require(await callee.request("ACK"))
                #expect(ack.hasPrefix("ACK sip:bob-one@") && ack.header("CSeq") == "1 ACK")
                #expect(ack.branch != invite.branch && ack.toTag == "one")
                callee.answer("200 OK", to: invite, tag: "one", body: Callee.description)
            }
            let dialog = try #require(answer.dialog)
            harness.endpoint.sendBye(in: dialog.id)
            let bye = try #require(await callee.request("BYE"))
            #expect(bye.header("CSeq") == "2 BYE")
            callee.peer.send(Call.response("200 OK", to: bye))
            #expect(await harness.statisticsAtRest(ignoringTimerD: true) == SIPStatistics())
        }
    }

    @Test("The ACK waits for us where we said so, and carries our answer to a late offer")
    func manual() async throws {
        try await Harness.run { harness in
            let callee = Callee(of: harness.endpoint.port)
            harness.endpoint.invite(harness.endpoint.prepare(callee.invite(body: nil)))
            let invite = try #require(await callee.request("INVITE"))
            #expect(invite.header("Content-Type") == nil)
            callee.answer("200 OK", to: invite, tag: "one", body: Callee.description)
            let answer = try await harness.events.nextAnswer()
            #expect(answer.awaitsAcknowledgement)
            #expect(await callee.request("ACK", within: 50) == nil)
            let dialog = try #require(answer.dialog)
            harness.endpoint.acknowledge(dialog.id, body: .sdp(Call.offer))
            #expect(await callee.request("ACK")?.hasSuffix(Call.offer) == true)
            harness.endpoint.sendBye(in: dialog.id)
            let bye = try #require(await callee.request("BYE"))
            callee.peer.send(Call.response("200 OK", to: bye))
        }
    }

    @Test("Of a fork the first 200 is taken; another branch's is acknowledged and ended with BYE")
    func fork() async throws {
        try await Harness.run { harness in
            let callee = Callee(of: harness.endpoint.port)
            harness.endpoint.invite(harness.endpoint.prepare(callee.invite()))
            let invite = try #require(await callee.request("INVITE"))
            for tag in ["one", "two", "three"] {
                callee.answer("180 Ringing", to: invite, tag: tag)
                #expect(try await harness.events.nextAnswer().remoteTag == tag)
            }
            #expect(await harness.endpoint.statistics().dialogs == 3)
            callee.answer("183 Session Progress", to: invite, tag: "three", body: Callee.description)
            #expect(try await harness.events.nextAnswer().body == .sdp(Callee.description))
            callee.answer("200 OK", to: invite, tag: "two", body: Callee.description)
            #expect(try await harness.events.nextAnswer().remoteTag == "two")
            #expect(await callee.request("ACK")?.toTag == "two")
            #expect(await harness.endpoint.statistics().dialogs == 1)
            callee.answer("200 OK", to: invite, tag: "one", body: Callee.description)
            #expect(await callee.request("ACK")?.toTag == "one")
            let bye = try #require(await callee.request("BYE"))
            #expect(bye.toTag == "one")
            callee.peer.send(Call.response("200 OK", to: bye))
            #expect(harness.events.unread == 0)
        }
    }

    @Test("A refusal is acknowledged on its own branch and ends the call", arguments: [302, 404, 486, 503, 603])
    func refused(status: Int) async throws {
        try await Harness.run { harness in
            let callee = Callee(of: harness.endpoint.port)
            harness.endpoint.invite(harness.endpoint.prepare(callee.invite()))
            let invite = try #require(await callee.request("INVITE"))
            callee.answer(
                "\(status) No", to: invite, tag: "one", headers: ["Retry-After: 7", "Reason: Q.850;cause=17"])
            let answer = try await harness.events.nextAnswer()
            #expect(answer.status == status && answer.isFromPeer && answer.dialog == nil)
            #expect(answer.retryAfter == .seconds(7) && answer.reason == "Q.850;cause=17")
            #expect(answer.contacts.map(\.user) == (status == 302 ? ["bob-one"] : []))
            let ack = try #require(await callee.request("ACK"))
            #expect(ack.branch == invite.branch && ack.toTag == "one" && ack.header("CSeq") == "1 ACK")
            #expect(await harness.statisticsAtRest(ignoringTimerD: true) == SIPStatistics())
        }
    }

    @Test("Nobody answers: the INVITE is repeated, and 408 is made up in the end")
    func silence() async throws {
        try await Harness.run(timers: .shortest) { harness in
            let callee = Callee(of: harness.endpoint.port)
            harness.endpoint.invite(harness.endpoint.prepare(callee.invite()))
            let first = try #require(await callee.request("INVITE"))
            #expect(await callee.request("INVITE") == first)
            let answer = try await harness.events.nextAnswer()
            #expect(answer.status == 408 && !answer.isFromPeer)
            #expect(await harness.statisticsAtRest(ignoringTimerD: true) == SIPStatistics())
        }
    }
}
