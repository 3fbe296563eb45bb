import Bus
import CallsCore
import Domain
import Observability
import RPC
import Runtime
import SIP
import Store
import Synchronization
import TestSupport
import Testing
import Wire

/// The whole service with real SIP, a real rtpengine and a real PostgreSQL; only the services next door are stubs.
@Suite("The calls service", .serialized, .timeLimit(.minutes(3)))
struct CallsPartsTests {
    @Test("takes a message: 180 with a tag, 200 with the relay's description, BYE at the message's end")
    func message() async throws {
        let house = try await CallsHouse(ringTimeSeconds: 0)
        let phone = try house.phone()
        phone.send("INVITE", cseq: 1, body: SampleSDP.offer())
        let ringing = await phone.answer(180, to: "1 INVITE")
        #expect(ringing.toTag != nil)
        let answer = await phone.answer(200, to: "1 INVITE")
        #expect(answer.toTag == ringing.toTag)
        #expect(answer.body.contains("m=audio ") && !answer.body.contains("m=audio 7000 "))
        phone.send("ACK", cseq: 1, toTag: answer.toTag)
        #expect(house.neighbours.requests.entries.first?.sdpOffer.contains("m=audio 6000 ") == false)

        // Hold, then an offer that voicemail cannot follow, then digits.
        phone.send("INVITE", cseq: 2, toTag: answer.toTag, body: SampleSDP.offer(direction: "sendonly"))
        let held = await phone.answer(200, to: "2 INVITE")
        #expect(held.body.contains("a=recvonly"))
        phone.send("ACK", cseq: 2, toTag: answer.toTag)
        phone.send("INVITE", cseq: 3, toTag: answer.toTag, body: SampleSDP.offer(codecs: "18"))
        #expect(await phone.answer(488, to: "3 INVITE").header("Warning") != nil)
        phone.send("ACK", cseq: 3, toTag: answer.toTag)
        phone.send("INFO", cseq: 4, toTag: answer.toTag, type: "application/dtmf-relay", body: "Signal=5\r\n")
        _ = await phone.answer(200, to: "4 INFO")
        phone.send("INFO", cseq: 5, toTag: answer.toTag, type: "text/plain", body: "hello")
        #expect(await phone.answer(415, to: "5 INFO").header("Accept") == "application/dtmf-relay, application/dtmf")
        phone.send("UPDATE", cseq: 6, toTag: answer.toTag)
        _ = await phone.answer(200, to: "6 UPDATE")

        house.neighbours.messageEnd.open()
        let bye = await phone.request("BYE")
        #expect(bye.header("Reason")?.hasPrefix("Q.850;cause=16") == true)
        await house.settle()
        #expect(phone.finalStatuses.allSatisfy { $0 == 200 })
        let call = try #require(try await house.calls().first)
        #expect(call.progress.state == .unanswered)
        #expect(call.progress.termination == Termination(.noAnswer, by: .callee))
        #expect(call.progress.divertedToVoicemail && call.progress.ended != nil)
        #expect(call.facts.caller.number == "+12025550123")
        #expect(try await house.base.published().map(\.version) == [1, 2, 3, 4])
        await house.close([phone])
    }

    @Test("lets the caller quit while it rings, in the greeting, and by # over INFO")
    func quits() async throws {
        let house = try await CallsHouse(ringTimeSeconds: 3600)
        let ringing = try house.phone()
        let transaction = ringing.send("INVITE", cseq: 1, body: SampleSDP.offer())
        _ = await ringing.answer(180, to: "1 INVITE")
        ringing.send("CANCEL", cseq: 1, transaction: transaction)
        _ = await ringing.answer(200, to: "1 CANCEL")
        let refused = await ringing.answer(487, to: "1 INVITE")
        ringing.send("ACK", cseq: 1, toTag: refused.toTag, transaction: transaction)
        await house.settle()
        #expect(try await house.calls().first?.progress.termination == Termination(.callerCancelled, by: .caller))

        house.neighbours.script.withLock { $0.ringTimeSeconds = 0 }
        let greeted = try house.phone()
        greeted.send("INVITE", cseq: 1, body: SampleSDP.offer())
        let answer = await greeted.answer(200, to: "1 INVITE")
        greeted.send("ACK", cseq: 1, toTag: answer.toTag)
        greeted.send("BYE", cseq: 2, toTag: answer.toTag)
        _ = await greeted.answer(200, to: "2 BYE")
        await house.neighbours.voicemail.wait(for: "left")
        await house.settle()

        let pressing = try house.phone()
        pressing.send("INVITE", cseq: 1, body: SampleSDP.offer())
        let pressed = await pressing.answer(200, to: "1 INVITE")
        pressing.send("ACK", cseq: 1, toTag: pressed.toTag)
        pressing.send("INFO", cseq: 2, toTag: pressed.toTag, type: "application/dtmf-relay", body: "Signal=#\r\n")
        _ = await pressing.request("BYE")
        await house.settle()
        #expect(try await house.calls().allSatisfy { $0.progress.ended != nil })
        await house.close([ringing, greeted, pressing])
    }

    @Test("refuses what it cannot take, each with its own status")
    func refusals() async throws {
        let house = try await CallsHouse(ringTimeSeconds: 3600)
        var phones: [SIPPhone] = []
        for (user, body, status) in [
            ("+15550000", SampleSDP.offer(), 404), ("nonsense", SampleSDP.offer(), 484),
            ("911", SampleSDP.offer(), 403), ("+12025550100", SampleSDP.offer(codecs: "18"), 488),
            ("+12025550100", "nonsense", 400),
        ] {
            let phone = try house.phone()
            let transaction = phone.send("INVITE", cseq: 1, body: body, user: user)
            let answer = await phone.answer(status, to: "1 INVITE")
            phone.send("ACK", cseq: 1, toTag: answer.toTag, transaction: transaction, user: user)
            phones.append(phone)
        }
        let wrongType = try house.phone()
        wrongType.send("INVITE", cseq: 1, type: "text/plain", body: "hello")
        #expect(await wrongType.answer(415, to: "1 INVITE").header("Accept") == "application/sdp")
        await house.settle()
        #expect(try await house.calls().map(\.progress.termination?.reason) == [.noCommonCodec])

        // Without its relay it takes no call, and takes them again once that is back.
        await house.engine.end()
        let refused = try house.phone()
        refused.send("INVITE", cseq: 1, body: SampleSDP.offer())
        #expect(await refused.answer(503, to: "1 INVITE").header("Retry-After") != nil)
        await house.settle()
        await house.close(phones + [wrongType, refused])
    }

    @Test("hangs up by RPC, and ends what rings when it stops")
    func hangUp() async throws {
        let house = try await CallsHouse(ringTimeSeconds: 3600)
        let phone = try house.phone()
        phone.send("INVITE", cseq: 1, body: SampleSDP.offer())
        _ = await phone.answer(180, to: "1 INVITE")
        let id = try #require(try await house.calls().first?.facts.id)
        var request = CallsV1.HangUpCallRequest()
        request.callID = id.description
        let response = try await house.parts.handler.hangUpCall(request, context: .init())
        #expect(response.call?.termination?.reason == "declined")
        _ = await phone.answer(603, to: "1 INVITE")
        await house.settle()

        let other = try house.phone()
        other.send("INVITE", cseq: 1, body: SampleSDP.offer())
        _ = await other.answer(180, to: "1 INVITE")
        await house.stop()
        _ = await other.answer(503, to: "1 INVITE")
        #expect(try await house.calls().allSatisfy { $0.progress.ended != nil })
        await house.close([phone, other])
    }

    @Test("goes on with a message that another process was taking, which stands still and says nothing any more")
    func restarted() async throws {
        let house = try await CallsHouse(ringTimeSeconds: 0)
        let phone = try house.phone()
        phone.send("INVITE", cseq: 1, body: SampleSDP.offer())
        let answer = await phone.answer(200, to: "1 INVITE")
        phone.send("ACK", cseq: 1, toTag: answer.toTag)
        await house.neighbours.voicemail.wait(for: "taken")
        // Its ACK has been heard and noted.
        while try await house.phase != .connected(acknowledged: true) {}
        // The first process has its sockets open still when its successor comes up in its place.
        let successor = try await house.base.lease(slot: 7, epoch: 2)
        house.ownership.set(nil, slot: 7)
        let next = try house.successor(port: house.port, under: successor)
        await next.stations.acquired(successor)
        for component in next.components { try await component.start() }
        await house.neighbours.voicemail.wait { $0.count { $0 == "taken" } == 2 }
        house.neighbours.messageEnd.open()
        #expect(await phone.request("BYE").header("Reason")?.hasPrefix("Q.850;cause=16") == true)
        var call = try await house.calls().first
        while call?.progress.ended == nil { call = try await house.calls().first }
        #expect(call?.progress.termination == Termination(.noAnswer, by: .callee))
        for component in next.components.reversed() { await component.stop() }
        await house.parts.stations.lost(SlotLease(group: "calls", slot: 7, epoch: 1))
        await house.settle()
        await house.close([phone])
    }

    @Test("says BYE again where its predecessor got no answer to it")
    func saysByeAgain() async throws {
        let house = try await CallsHouse(ringTimeSeconds: 0)
        let phone = try house.phone()
        phone.send("INVITE", cseq: 1, body: SampleSDP.offer())
        let answer = await phone.answer(200, to: "1 INVITE")
        phone.send("ACK", cseq: 1, toTag: answer.toTag)
        await house.neighbours.voicemail.wait(for: "taken")
        phone.answerBye(false)
        house.neighbours.messageEnd.open()
        #expect(await phone.request("BYE").header("CSeq") == "1 BYE")
        await house.settle()
        let lease = SlotLease(group: "calls", slot: 7, epoch: 1)
        while try await house.base.storage.farewells(under: lease).isEmpty {}

        await house.parts.stations.lost(lease)
        let successor = try await house.base.lease(slot: 7, epoch: 2)
        phone.answerBye(true)
        let next = try house.successor(port: house.port, under: successor)
        await next.stations.acquired(successor)
        for component in next.components { try await component.start() }
        let again = await phone.received.wait { $0.contains { $0.header("CSeq") == "1001 BYE" } }.last
        #expect(again?.header("Reason")?.hasPrefix("Q.850;cause=16") == true)
        while try await !house.base.storage.farewells(under: successor).isEmpty {}
        for component in next.components.reversed() { await component.stop() }
        await house.close([phone])
    }

    @Test("leaves what rings to its successor when it stops, without a word; what records a message it ends")
    func leaves() async throws {
        let house = try await CallsHouse(ringTimeSeconds: 3600, isForGood: false)
        let ringing = try house.phone()
        let transaction = ringing.send("INVITE", cseq: 1, body: SampleSDP.offer())
        let tag = await ringing.answer(180, to: "1 INVITE").toTag
        house.neighbours.script.withLock { $0.ringTimeSeconds = 0 }
        let speaking = try house.phone()
        speaking.send("INVITE", cseq: 1, body: SampleSDP.offer())
        let answer = await speaking.answer(200, to: "1 INVITE")
        speaking.send("ACK", cseq: 1, toTag: answer.toTag)
        await house.neighbours.voicemail.wait(for: "taken")
        await house.stop()
        #expect(await speaking.request("BYE").header("Reason") != nil)
        #expect(try await house.calls().map { $0.progress.ended != nil }.sorted { !$0 && $1 } == [false, true])

        let lease = try await house.base.lease(slot: 7, epoch: 2)
        let next = try house.successor(port: house.port, under: lease)
        await next.stations.acquired(lease)
        for component in next.components { try await component.start() }
        ringing.send("CANCEL", cseq: 1, transaction: transaction)
        _ = await ringing.answer(200, to: "1 CANCEL")
        let refused = await ringing.answer(487, to: "1 INVITE")
        #expect(refused.toTag == tag)
        ringing.send("ACK", cseq: 1, toTag: refused.toTag, transaction: transaction)
        while try await house.calls().contains(where: { $0.progress.ended == nil }) {}
        for component in next.components.reversed() { await component.stop() }
        await house.close([ringing, speaking])
    }
}
