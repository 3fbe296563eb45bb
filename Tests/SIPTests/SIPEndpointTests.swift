import SIP
import Testing

/// The life of a call as its receiver sees it, against raw sockets.
@Suite(.serialized) struct SIPEndpointTests {
    @Test(
        "An INVITE rings and is answered under one To tag, the ACK reaches the dialog, BYE gets 200",
        arguments: [false, true])
    func wholeCall(overTCP: Bool) async throws {
        try await Harness.run { harness in
            let port = harness.endpoint.port
            let peer = overTCP ? RawPeer(tcp: port) : RawPeer(udp: port)
            let call = Call(peer: peer, endpoint: port)
            peer.send(call.invite())
            let invite = try #require(await harness.events.nextInvite())
            #expect(invite.caller.presented?.uri.number == "+14155550100")
            #expect(invite.from.displayName == "Alice")
            #expect(invite.requestURI.number == "+12025550123")
            #expect(invite.body?.bytes == Array(Call.offer.utf8))
            #expect(invite.maxForwards == 70)
            #expect(invite.source.transport == (overTCP ? .tcp : .udp))
            #expect(String(decoding: invite.rawMessage, as: UTF8.self).hasSuffix(Call.offer))
            #expect(await peer.receive("SIP/2.0 100") != nil)

            harness.endpoint.respond(to: invite.transaction, SIPResponse(180))
            let ringing = try #require(await peer.receive("SIP/2.0 180"))
            #expect(ringing.toTag == invite.dialog.id.localTag)
            #expect(ringing.header("Contact")?.contains("127.0.0.1:\(port)") == true)
            harness.endpoint.respond(to: invite.transaction, SIPResponse(200, body: .sdp("v=0\r\n")))
            let answer = try #require(await peer.receive("SIP/2.0 200"))
            #expect(answer.toTag == invite.dialog.id.localTag)
            #expect(answer.hasPrefix("SIP/2.0 200 OK\r\n"))
            #expect(answer.header("Allow")?.contains("BYE") == true)
            #expect(answer.header("Content-Type") == "application/sdp")
            #expect(answer.hasSuffix("\r\n\r\nv=0\r\n"))

            let tag = try #require(answer.toTag)
            peer.send(call.request("ACK", cseq: 1, toTag: tag))
            guard case .acknowledged(invite.transaction, invite.dialog.id, body: nil) = await harness.events.next()
            else {
                Issue.record("no ACK")
                return
            }
            peer.send(call.request("BYE", cseq: 2, toTag: tag, headers: ["Reason: Q.850;cause=16"]))
            #expect(await peer.answer(to: "2 BYE")?.status == 200)
            guard case .ended(let bye) = await harness.events.next() else {
                Issue.record("no BYE")
                return
            }
            #expect(bye.dialog.remoteCSeq == 2)
            #expect(bye.reason?.contains("cause=16") == true)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
            #expect(harness.events.unread == 0)
        }
    }

    @Test("A 200 is repeated until its ACK; without any the call logic hears of it and can hang up")
    func noAcknowledgement() async throws {
        let hangUp: Harness.Reaction = { event, endpoint in
            if case .invite(let invite) = event { endpoint.respond(to: invite.transaction, SIPResponse(200)) }
            if case .failed(_, let dialog, .notAcknowledged) = event { endpoint.sendBye(in: dialog) }
        }
        try await Harness.run(reaction: hangUp) { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            peer.send(Call(peer: peer, endpoint: harness.endpoint.port).invite())
            var answers = 0
            var bye: String?
            while bye == nil, let message = await peer.receive() {
                if message.hasPrefix("SIP/2.0 200") { answers += 1 }
                if message.hasPrefix("BYE ") { bye = message }
            }
            #expect(answers >= 4)
            let request = try #require(bye)
            #expect(request.hasPrefix("BYE sip:alice@127.0.0.1:\(peer.port) SIP/2.0"))
            peer.send(Call.response("200 OK", to: request))
            _ = await harness.events.nextInvite()
            guard case .failed = await harness.events.next(), case .response(let response) = await harness.events.next()
            else {
                Issue.record("wrong events")
                return
            }
            #expect(response.status == 200 && response.isFromPeer && response.state == nil)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test("CANCEL gets 200, the INVITE 487 exactly once, and a late answer of ours is dropped")
    func cancel() async throws {
        let answerLate: Harness.Reaction = { event, endpoint in
            if case .cancelled(let transaction, _, _) = event { endpoint.respond(to: transaction, SIPResponse(200)) }
        }
        try await Harness.run(reaction: answerLate) { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            let branch = "z9hG4bKcancel"
            peer.send(call.request("INVITE", cseq: 1, branch: branch))
            let invite = try #require(await harness.events.nextInvite())
            harness.endpoint.respond(to: invite.transaction, SIPResponse(180))
            #expect(await peer.receive("SIP/2.0 180") != nil)
            peer.send(
                call.request(
                    "CANCEL", cseq: 1, branch: branch,
                    headers: ["Reason: SIP;cause=200;text=\"Call completed elsewhere\""]))
            let first = try #require(await peer.receive())
            #expect(first.status == 200 && first.header("CSeq") == "1 CANCEL")
            let second = try #require(await peer.receive())
            #expect(second.status == 487 && second.header("CSeq") == "1 INVITE")
            #expect(second.toTag == invite.dialog.id.localTag)
            guard case .cancelled(invite.transaction, _, let reason) = await harness.events.next() else {
                Issue.record("no CANCEL")
                return
            }
            #expect(reason?.contains("cause=200") == true)
            peer.send(call.request("ACK", cseq: 1, toTag: second.toTag, branch: branch))
            #expect(await harness.statisticsAtRest() == SIPStatistics())
            #expect(harness.count("sip_stale_actions_total") == 1)
            #expect(await peer.receive("SIP/2.0 200", within: 50) == nil)
        }
    }

    @Test("A repeated INVITE gets the last response again and no second event")
    func retransmission() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            peer.send(call.invite())
            let invite = try #require(await harness.events.nextInvite())
            harness.endpoint.respond(to: invite.transaction, SIPResponse(180))
            #expect(await peer.receive("SIP/2.0 180") != nil)
            peer.send(call.invite())
            #expect(await peer.receive()?.status == 180)
            harness.endpoint.respond(to: invite.transaction, SIPResponse(486, headers: [.retryAfter(seconds: 7)]))
            let busy = try #require(await peer.receive("SIP/2.0 486"))
            #expect(busy.header("Retry-After") == "7")
            peer.send(call.invite())
            #expect(await peer.receive("SIP/2.0 486") != nil)
            #expect(harness.events.unread == 0)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test("BYE is answered when the call logic says so; its repetitions are not told, and the dialog is gone at once")
    func byeAnsweredLater() async throws {
        try await Harness.run(answersBye: false) { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            peer.send(call.invite())
            let invite = try #require(await harness.events.nextInvite())
            harness.endpoint.respond(to: invite.transaction, SIPResponse(200))
            let tag = try #require(await peer.receive("SIP/2.0 200")?.toTag)
            peer.send(call.request("ACK", cseq: 1, toTag: tag))
            _ = await harness.events.next()
            for _ in 0..<3 { peer.send(call.request("BYE", cseq: 2, toTag: tag)) }
            guard case .ended(let bye) = await harness.events.next() else {
                Issue.record("no BYE")
                return
            }
            #expect(await peer.receive(within: 100) == nil)
            peer.send(call.request("INFO", cseq: 3, toTag: tag))
            #expect(await peer.answer(to: "3 INFO")?.status == 481)
            harness.endpoint.respond(to: bye.transaction, SIPResponse(200))
            #expect(await peer.answer(to: "2 BYE")?.status == 200)
            #expect(harness.events.unread == 0)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test("BYE before the answer ends the INVITE with 487")
    func earlyBye() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            peer.send(call.invite())
            let invite = try #require(await harness.events.nextInvite())
            harness.endpoint.respond(to: invite.transaction, SIPResponse(180))
            let tag = try #require(await peer.receive("SIP/2.0 180")?.toTag)
            peer.send(call.request("BYE", cseq: 2, toTag: tag))
            #expect(await peer.receive("SIP/2.0 487")?.header("CSeq") == "1 INVITE")
            guard case .ended = await harness.events.next() else {
                Issue.record("no BYE")
                return
            }
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }
}
