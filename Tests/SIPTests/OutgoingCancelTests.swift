import SIP
import Testing

/// INVITEs of ours that are given up.
@Suite(.serialized) struct OutgoingCancelTests {
    @Test("CANCEL waits for the first provisional response, and says why")
    func waits() async throws {
        try await Harness.run { harness in
            let callee = Callee(of: harness.endpoint.port)
            let state = harness.endpoint.prepare(callee.invite())
            harness.endpoint.invite(state)
            let invite = try #require(await callee.request("INVITE"))
            harness.endpoint.cancel(state.id, reason: .reason(sip: 200, text: "Call completed elsewhere"))
            #expect(await callee.request("CANCEL", within: 60) == nil)
            callee.answer("180 Ringing", to: invite, tag: "one")
            let cancel = try #require(await callee.request("CANCEL"))
            #expect(cancel.branch == invite.branch && cancel.header("CSeq") == "1 CANCEL")
            #expect(cancel.header("Reason")?.hasPrefix("SIP;cause=200") == true)
            callee.peer.send(Call.response("200 OK", to: cancel))
            callee.answer("487 Request Terminated", to: invite, tag: "one")
            #expect(await callee.request("ACK")?.branch == invite.branch)
            #expect(try await harness.events.nextAnswer().status == 487)
            #expect(harness.events.unread == 0)
            #expect(await harness.statisticsAtRest(ignoringTimerD: true) == SIPStatistics())
        }
    }

    @Test("A 200 that crosses the CANCEL is acknowledged and ended with BYE, and the call counts as cancelled")
    func crossing() async throws {
        try await Harness.run { harness in
            let callee = Callee(of: harness.endpoint.port)
            let state = harness.endpoint.prepare(callee.invite())
            harness.endpoint.invite(state)
            let invite = try #require(await callee.request("INVITE"))
            callee.answer("180 Ringing", to: invite, tag: "one")
            _ = try await harness.events.nextAnswer()
            harness.endpoint.cancel(state.id)
            let cancel = try #require(await callee.request("CANCEL"))
            callee.answer("200 OK", to: invite, tag: "one", body: Callee.description)
            callee.peer.send(Call.response("481 No Such Call", to: cancel))
            #expect(await callee.request("ACK")?.toTag == "one")
            let bye = try #require(await callee.request("BYE"))
            #expect(bye.header("CSeq") == "2 BYE")
            callee.peer.send(Call.response("200 OK", to: bye))
            let answer = try await harness.events.nextAnswer()
            #expect(answer.status == 487 && !answer.isFromPeer)
            #expect(harness.events.unread == 0)
            #expect(await harness.statisticsAtRest(ignoringTimerD: true) == SIPStatistics())
        }
    }

    @Test("Once answered, or twice: nothing is sent")
    func tooLate() async throws {
        try await Harness.run { harness in
            let callee = Callee(of: harness.endpoint.port)
            let state = harness.endpoint.prepare(callee.invite())
            harness.endpoint.invite(state)
            let invite = try #require(await callee.request("INVITE"))
            callee.answer("486 Busy Here", to: invite, tag: "one")
            #expect(await callee.request("ACK") != nil)
            #expect(try await harness.events.nextAnswer().status == 486)
            harness.endpoint.cancel(state.id)
            harness.endpoint.cancel(state.id)
            #expect(await callee.request("CANCEL", within: 60) == nil)
            #expect(harness.count("sip_stale_actions_total") == 2)
        }
    }
}
