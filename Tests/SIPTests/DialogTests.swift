import SIP
import Testing

/// Requests within dialogs, both ways.
@Suite(.serialized) struct DialogTests {
    /// An answered call, with its ACK taken.
    private func answered(
        _ harness: Harness, _ call: Call, headers: [String] = [], contact: String = "default"
    ) async throws -> IncomingInvite {
        call.peer.send(call.request("INVITE", cseq: 1, headers: headers, contact: contact, body: Call.offer))
        let invite = try #require(await harness.events.nextInvite())
        harness.endpoint.respond(to: invite.transaction, SIPResponse(200, body: .sdp("v=0\r\n")))
        let answer = try #require(
            await call.peer.receive("SIP/2.0 200") { call.request("ACK", cseq: 1, toTag: $0.toTag) })
        for header in headers where header.hasPrefix("Record-Route") {
            #expect(answer.contains(header), "the answer must repeat it")
        }
        guard case .acknowledged = await harness.events.next() else {
            Issue.record("no ACK")
            return invite
        }
        return invite
    }

    @Test("BYE with a wrong tag is 481 and the call goes on; out-of-order requests are 500")
    func tagsAndOrder() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            let invite = try await answered(harness, call)
            let tag = invite.dialog.id.localTag
            peer.send(call.request("BYE", cseq: 5, toTag: "wrong"))
            #expect(await peer.answer(to: "5 BYE")?.status == 481)
            var stranger = call
            stranger.fromTag = "stranger"
            peer.send(stranger.request("BYE", cseq: 6, toTag: tag, branch: "z9hG4bKstranger"))
            #expect(await peer.answer(to: "6 BYE")?.status == 481)
            peer.send(call.request("BYE", cseq: 1, toTag: tag))
            #expect(await peer.answer(to: "1 BYE")?.status == 500)
            #expect(await harness.endpoint.statistics().dialogs == 1)
            peer.send(call.request("BYE", cseq: 7, toTag: tag))
            #expect(await peer.answer(to: "7 BYE")?.status == 200)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test("INFO, UPDATE and re-INVITE reach the call logic; a second INVITE meanwhile is refused")
    func requestsOfTheFarSide() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            let invite = try await answered(harness, call)
            let tag = invite.dialog.id.localTag
            peer.send(call.request("INFO", cseq: 2, toTag: tag, type: "application/dtmf-relay", body: "Signal=5\r\n"))
            guard case .request(let info) = await harness.events.next() else {
                Issue.record("no INFO")
                return
            }
            #expect(
                info.method == .info
                    && info.body == SIPBody(contentType: "application/dtmf-relay", bytes: Array("Signal=5\r\n".utf8)))
            harness.endpoint.respond(to: info.transaction, SIPResponse(200))
            #expect(await peer.answer(to: "2 INFO")?.status == 200)

            peer.send(
                call.request("INVITE", cseq: 3, toTag: tag, contact: "<sip:elsewhere@127.0.0.1:9>", body: Call.offer))
            guard case .request(let again) = await harness.events.next() else {
                Issue.record("no re-INVITE")
                return
            }
            #expect(again.method == .invite && again.dialog.remoteTarget.user == "elsewhere")
            peer.send(call.request("INVITE", cseq: 4, toTag: tag, body: Call.offer))
            let refused = try #require(await peer.answer(to: "4 INVITE"))
            #expect(refused.status == 500)
            #expect(refused.header("Retry-After") != nil)
            peer.send(call.request("ACK", cseq: 4, toTag: tag, branch: "z9hG4bK\(call.callID)INVITE4"))
            harness.endpoint.respond(to: again.transaction, SIPResponse(200, body: .sdp("v=0\r\n")))
            #expect(await peer.answer(to: "3 INVITE")?.status == 200)
            peer.send(call.request("ACK", cseq: 3, toTag: tag))
            guard case .acknowledged(again.transaction, invite.dialog.id, _) = await harness.events.next() else {
                Issue.record("no ACK")
                return
            }
            harness.endpoint.forget(invite.dialog.id)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test("BYE follows Contact without port and Record-Route, loose and strict")
    func routing() async throws {
        try await Harness.run { harness in
            let proxy = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: proxy, endpoint: harness.endpoint.port)
            let route = "sip:127.0.0.1:\(proxy.port);lr"
            let invite = try await answered(
                harness, call, headers: ["Record-Route: <\(route)>", "Record-Route: <sip:far.example;lr>"],
                contact: "<sip:alice@192.0.2.77>")
            #expect(invite.dialog.remoteTarget.port == nil)
            harness.endpoint.sendBye(in: invite.dialog.id, reason: .reason(sip: 480, text: "no answer"))
            let bye = try #require(await proxy.receive("BYE "))
            #expect(bye.hasPrefix("BYE sip:alice@192.0.2.77 SIP/2.0\r\n"))
            #expect(bye.header("Route")?.contains(route) == true && bye.contains("<sip:far.example;lr>"))
            #expect(bye.header("Reason") == "SIP;cause=480;text=\"no answer\"")
            #expect(bye.header("From")?.contains(invite.dialog.id.localTag) == true)
            #expect(bye.toTag == call.fromTag && bye.header("CSeq") == "1 BYE")
            proxy.send(Call.response("200 OK", to: bye))
            guard case .response(let response) = await harness.events.next() else {
                Issue.record("no response")
                return
            }
            #expect(response.status == 200)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test("Our re-INVITE is acknowledged, and its 2xx again when it is repeated")
    func ourInvite() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            let invite = try await answered(harness, call)
            harness.endpoint.send(OutgoingRequest(.invite, body: .sdp("v=0\r\n")), in: invite.dialog.id)
            let request = try #require(await peer.receive("INVITE "))
            #expect(request.header("Contact") != nil && request.hasSuffix("v=0\r\n"))
            let answer = Call.response(
                "200 OK", to: request, headers: ["Contact: <sip:moved@127.0.0.1:\(peer.port)>"])
            peer.send(answer)
            let ack = try #require(await peer.receive("ACK "))
            #expect(ack.hasPrefix("ACK sip:moved@127.0.0.1:\(peer.port) SIP/2.0") && ack.header("CSeq") == "1 ACK")
            guard case .response(let response) = await harness.events.next() else {
                Issue.record("no response")
                return
            }
            #expect(response.state?.remoteTarget.user == "moved")
            peer.send(answer)
            #expect(await peer.receive("ACK ") != nil)
            #expect(harness.events.unread == 0)
            harness.endpoint.forget(invite.dialog.id)
            #expect(await harness.statisticsAtRest(ignoringTimerD: true) == SIPStatistics())
        }
    }

    @Test(
        "A dialog restored from its stored form goes on in a new endpoint, and a request nobody answers fails with 408")
    func takeover() async throws {
        try await Harness.run { old in
            let far = RawPeer(udp: old.endpoint.port)
            let invite = try await answered(old, Call(peer: far, endpoint: old.endpoint.port))
            try await Harness.run { new in
                let peer = RawPeer(udp: new.endpoint.port)
                var state = invite.dialog.restored()
                state.remoteTarget.port = peer.port
                new.endpoint.adopt(state)
                #expect(await new.endpoint.statistics().dialogs == 1)
                var call = Call(peer: peer, endpoint: new.endpoint.port)
                call.callID = state.id.callID
                call.fromTag = state.id.remoteTag
                peer.send(call.request("INFO", cseq: 9, toTag: state.id.localTag))
                guard case .request(let info) = await new.events.next() else {
                    Issue.record("no INFO")
                    return
                }
                new.endpoint.respond(to: info.transaction, SIPResponse(200))
                #expect(await peer.answer(to: "9 INFO")?.status == 200)
                new.endpoint.sendBye(in: state.id)
                #expect(await peer.receive("BYE ")?.header("CSeq") == "1001 BYE")
                guard case .response(let response) = await new.events.next() else {
                    Issue.record("no response")
                    return
                }
                #expect(response.status == 408 && !response.isFromPeer)
                #expect(await new.statisticsAtRest() == SIPStatistics())
            }
        }
    }

    @Test("An INVITE that a dead process left ringing is refused from its stored bytes, under the tag the caller knows")
    func orphan() async throws {
        let old = try await Harness(timers: .shortest)
        let port = old.endpoint.port
        let peer = RawPeer(udp: port)
        let call = Call(peer: peer, endpoint: port)
        peer.send(call.invite())
        let invite = try #require(await old.events.nextInvite())
        old.endpoint.respond(to: invite.transaction, SIPResponse(180))
        #expect(await peer.receive("SIP/2.0 180") != nil)
        await old.endpoint.stop()
        #expect(await peer.receive("SIP/2.0 503") != nil)

        try await Harness.run(port: port) { new in
            new.endpoint.refuse(storedInvite: invite.rawMessage, of: invite.dialog, SIPResponse(500))
            let answer = try #require(await peer.receive("SIP/2.0 500"))
            #expect(answer.toTag == invite.dialog.id.localTag && answer.header("CSeq") == "1 INVITE")
            #expect(await peer.receive("SIP/2.0 500") != nil, "it is repeated until the ACK")
            peer.send(call.request("ACK", cseq: 1, toTag: answer.toTag, branch: "z9hG4bK\(call.callID)INVITE1"))
            #expect(await new.statisticsAtRest() == SIPStatistics())
            for garbage in [[], [0, 1, 2], Array("BYE sip:x SIP/2.0\r\n\r\n".utf8)] as [[UInt8]] {
                new.endpoint.refuse(storedInvite: garbage, of: invite.dialog, SIPResponse(500))
            }
            #expect(await new.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test("Over TCP a BYE uses the caller's connection")
    func connectionReuse() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(tcp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            // Nobody listens there: a phone behind NAT.
            let invite = try await answered(harness, call, contact: "<sip:alice@127.0.0.1:9;transport=tcp>")
            harness.endpoint.sendBye(in: invite.dialog.id)
            let bye = try #require(await peer.receive("BYE "))
            peer.send(Call.response("200 OK", to: bye))
            guard case .response(let response) = await harness.events.next() else {
                Issue.record("no response")
                return
            }
            #expect(response.status == 200)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test("A BYE asked for before the ACK waits for it")
    func byeBeforeAcknowledgement() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let call = Call(peer: peer, endpoint: harness.endpoint.port)
            peer.send(call.invite())
            let invite = try #require(await harness.events.nextInvite())
            harness.endpoint.respond(to: invite.transaction, SIPResponse(200))
            let answer = try #require(await peer.receive("SIP/2.0 200"))
            harness.endpoint.sendBye(in: invite.dialog.id)
            #expect(await peer.receive("BYE ", within: 60) == nil)
            peer.send(call.request("ACK", cseq: 1, toTag: answer.toTag))
            let bye = try #require(await peer.receive("BYE "))
            peer.send(Call.response("200 OK", to: bye))
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }
}
