import Bus
import CallsCore
import Domain
import Observability
import SIP
import Store
import Testing
import Wire

@Suite("A call between the caller, the relay, voicemail and the store", .timeLimit(.minutes(1)))
struct CallActorTests {
    @Test("leaves a message: every step stored in order, the caller told, nothing left behind")
    func message() async {
        let stage = CallStage()
        let call = stage.call()
        await call.start()
        await stage.leg.told.wait { $0.contains { if case .answered = $0 { true } else { false } } }
        await call.receive(.acknowledged(nil))
        stage.neighbours.messageEnd.open()
        await stage.over.pass()
        #expect(
            stage.leg.told.entries == [
                .ringing, .answered("answered " + SampleSDP.offer(port: 7000)),
                .bye("Q.850;cause=16;text=\"Normal call clearing\""),
            ])
        #expect(
            stage.storage.written.entries == [
                "1 authorized", "2 ringing", "3 unanswered noAnswer", "kept", "kept", "kept",
                "4 unanswered noAnswer ended",
            ])
        let request = stage.neighbours.requests.entries.first
        #expect(request?.sdpOffer == "offered " + SampleSDP.offer())
        #expect(request?.callRecordID == call.id.callRecordID(of: .callee).description)
        #expect(request?.remotePhoneNumber == CallStage.number)
        #expect(request?.displayName == "Bob")
        #expect(stage.isClean)
        #expect(stage.counters.counter("calls_total", ["termination": "noAnswer"]).value == 1)
    }

    @Test("hung up by the caller: voicemail hears of it, the relay forgets")
    func hungUp() async {
        let stage = CallStage()
        let call = stage.call()
        await call.start()
        await stage.leg.told.wait { $0.count == 2 }
        await call.receive(.acknowledged(nil))
        await call.receive(.hungUp(.bye))
        await stage.over.pass()
        await stage.neighbours.voicemail.wait(for: "left")
        #expect(stage.storage.written.entries.last == "4 unanswered noAnswer ended")
        #expect(stage.leg.told.entries.count == 2)
        #expect(stage.isClean)
    }

    @Test("cancelled while it rings: stored, no relay session, no voicemail, no second final response")
    func cancelled() async {
        let stage = CallStage(.init(ringTimeSeconds: 3600))
        let call = stage.call()
        await call.start()
        await stage.leg.told.wait(for: .ringing)
        await call.receive(.cancelled)
        await stage.over.pass()
        #expect(stage.leg.told.entries == [.ringing])
        #expect(stage.storage.written.entries == ["1 authorized", "2 ringing", "3 unanswered callerCancelled ended"])
        #expect(stage.neighbours.voicemail.entries.isEmpty)
        #expect(stage.isClean)
    }

    @Test(
        "refused as the directory says, and counted",
        arguments: [
            ("+15550000", 404, "numberUnknown"), ("nonsense", 484, "numberInvalid"),
            ("911", 403, "emergencyNotRouted"),
        ])
    func refused(dialled: String, status: Int, reason: String) async {
        let stage = CallStage()
        await stage.call(dialled: dialled).start()
        await stage.over.pass()
        #expect(stage.leg.told.entries == [.rejected(status, [])])
        #expect(stage.storage.attempted.entries.isEmpty)
        #expect(stage.counters.counter("invites_refused_total", ["reason": reason]).value == 1)
        #expect(stage.isClean)
    }

    @Test("refused with 503 and Retry-After when a part it cannot do without is away")
    func partsAway() async {
        let draining = CallStage()
        await draining.call(isDraining: true).start()
        let relay = CallStage()
        relay.relay.set(isReady: false)
        await relay.call().start()
        let directory = CallStage(.init(isDirectoryAway: true))
        await directory.call().start()
        let store = CallStage()
        store.storage.fail(with: .unreachable)
        await store.call().start()
        for stage in [draining, relay, directory, store] {
            await stage.leg.told.wait { !$0.isEmpty }
            #expect(stage.leg.told.entries == [.rejected(503, ["Retry-After"])])
        }
        // What may have been stored after all is closed when the store is back.
        #expect(store.storage.written.entries.isEmpty)
        store.storage.fail(with: nil)
        await store.storage.written.wait(for: "2 unanswered overCapacity ended")
    }

    @Test("without a codec of ours is stored and refused with 488 and a warning")
    func noCommonCodec() async {
        let stage = CallStage()
        await stage.call(audio: .noCommonCodec(SampleSDP.offer(codecs: "18"))).start()
        await stage.over.pass()
        #expect(stage.leg.told.entries == [.rejected(488, ["Warning"])])
        #expect(stage.storage.written.entries == ["1 authorized", "2 unanswered noCommonCodec ended"])
    }

    @Test("without an offer gets ours in the 200, and says in its ACK where to send")
    func delayedOffer() async {
        let stage = CallStage()
        let call = stage.call(audio: .absent)
        await call.start()
        await stage.leg.told.wait { $0.contains { if case .answered = $0 { true } else { false } } }
        #expect(stage.relay.offers.entries == [DelayedOffer.standIn(host: "127.0.0.1")])
        await call.receive(.acknowledged(.sdp(SampleSDP.offer(port: 8000))))
        #expect(stage.relay.offers.entries.last == SampleSDP.offer(port: 8000))
        stage.neighbours.messageEnd.open()
        await stage.over.pass()
        #expect(stage.leg.told.entries.last == .bye("Q.850;cause=16;text=\"Normal call clearing\""))
        #expect(stage.isClean)
    }

    @Test(
        "is hung up when the answer in the ACK is missing, unreadable or has another codec",
        arguments: [nil, SIPBody.sdp("nonsense"), .sdp(SampleSDP.offer(codecs: "8"))])
    func noAnswer(body: SIPBody?) async {
        let stage = CallStage()
        let call = stage.call(audio: .absent)
        await call.start()
        await stage.leg.told.wait { $0.contains { if case .answered = $0 { true } else { false } } }
        await call.receive(.acknowledged(body))
        await stage.over.pass()
        #expect(stage.leg.told.entries.last == .bye("SIP;cause=503;text=\"relayFailed\""))
        #expect(stage.isClean)
    }

    @Test("gets the diverting reason's status when voicemail is away")
    func voicemailAway() async {
        let rung = CallStage(.init(isVoicemailAway: true))
        await rung.call().start()
        await rung.over.pass()
        #expect(rung.leg.told.entries == [.ringing, .rejected(480, [])])
        #expect(rung.isClean)
        let declined = CallStage(.init(policy: .decline, isVoicemailAway: true))
        await declined.call().start()
        await declined.over.pass()
        #expect(declined.leg.told.entries == [.rejected(603, [])])
        #expect(declined.storage.written.entries.last == "3 unanswered declined ended")
    }

    @Test("hung up with a reason when voicemail breaks down, or the relay loses it")
    func lost() async {
        let broken = CallStage()
        let first = broken.call()
        await first.start()
        await broken.leg.told.wait { $0.count == 2 }
        await first.receive(.acknowledged(nil))
        broken.neighbours.breakdown.open()
        await broken.over.pass()
        #expect(broken.leg.told.entries.last == .bye("SIP;cause=500;text=\"serverError\""))

        let unheard = CallStage()
        let second = unheard.call()
        await second.start()
        await unheard.leg.told.wait { $0.count == 2 }
        await second.receive(.acknowledged(nil))
        await second.relayLost()
        await unheard.over.pass()
        #expect(unheard.leg.told.entries.last == .bye("SIP;cause=503;text=\"relayFailed\""))
        #expect(unheard.isClean)
    }

    @Test("goes on while the store is away, and is written in order when it is back")
    func storeAway() async {
        let stage = CallStage(.init(ringTimeSeconds: 1))
        let call = stage.call()
        await call.start()
        await stage.leg.told.wait(for: .ringing)
        stage.storage.fail(with: .unreachable)
        await stage.leg.told.wait { $0.count == 2 }
        await call.receive(.acknowledged(nil))
        await call.receive(.hungUp(.bye))
        await stage.over.pass()
        #expect(stage.storage.written.entries == ["1 authorized", "2 ringing"])
        stage.storage.fail(with: nil)
        await stage.storage.written.wait(for: "4 unanswered noAnswer ended")
        #expect(
            stage.storage.written.entries.suffix(5) == [
                "3 unanswered noAnswer", "kept", "kept", "kept", "4 unanswered noAnswer ended",
            ])
    }

    @Test("says nothing while its lease is in doubt, and goes on once it is confirmed")
    func leaseInDoubt() async {
        let stage = CallStage()
        let call = stage.call()
        stage.ownership.set(nil, slot: 7)
        await call.start()
        await stage.storage.written.wait(for: "2 ringing")
        #expect(stage.leg.told.entries.isEmpty)
        stage.ownership.set(SlotLease(group: "calls", slot: 7, epoch: 1), slot: 7)
        await stage.leg.told.wait(for: .ringing)
        await call.leaseLost()
        await stage.over.pass()
    }

    @Test("falls silent when another instance has its slot")
    func leaseLost() async {
        let stage = CallStage()
        let call = stage.call()
        await call.start()
        await stage.leg.told.wait { $0.count == 2 }
        stage.ownership.set(SlotLease(group: "calls", slot: 7, epoch: 2), slot: 7)
        stage.storage.fail(with: .staleEpoch)
        await call.receive(.acknowledged(nil))
        await call.leaseLost()
        await stage.over.pass()
        #expect(stage.leg.told.entries.count == 2)
        await call.receive(.hungUp(.bye))
        #expect(!stage.storage.written.entries.contains { $0.hasSuffix("ended") })
        #expect(!stage.relay.held.isEmpty)
        #expect(stage.services.meters.active.value == 0)
        #expect(stage.services.meters.relaySessions.value == 0)
    }

    @Test("is let go when its end was held back and another instance has its slot")
    func leaseLostAtTheEnd() async {
        let stage = CallStage()
        let call = stage.call()
        await call.start()
        await stage.leg.told.wait { $0.count == 2 }
        await call.receive(.acknowledged(nil))
        stage.ownership.set(nil, slot: 7)
        await call.receive(.hungUp(.bye))
        #expect(stage.services.meters.active.value == 1)
        await call.leaseLost()
        await stage.over.pass()
        #expect(stage.leg.told.entries.count == 2)
        #expect(stage.services.meters.active.value == 0)
    }

    @Test("keeps numbers out of the log")
    func redacted() async {
        let stage = CallStage()
        let call = stage.call()
        await call.start()
        await stage.leg.told.wait { $0.count == 2 }
        await call.shutDown()
        await call.receive(.acknowledged(nil))
        await stage.over.pass()
        #expect(stage.log.lines.contains { $0.contains("call ended") })
        for line in stage.log.lines {
            for secret in ["2025550123", "2025550100", "Bob"] { #expect(!line.contains(secret)) }
        }
    }
}
