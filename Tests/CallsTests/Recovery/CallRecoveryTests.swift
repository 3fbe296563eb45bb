import Bus
import CallsCore
import Domain
import Observability
import SIP
import Store
import Testing
import Wire

@Suite("Calls that a process left behind", .timeLimit(.minutes(2)))
struct CallRecoveryTests {
    private final class Farewells: CallFarewell {
        let told = Recorder<String>()

        func end(_ dialog: DialogState, reason: SIPHeader) { told.append("\(dialog.id.callID) \(reason.value)") }

        func refuse(_ invite: [UInt8], of dialog: DialogState, _ refusal: SIPRefusal) {
            let headers = refusal.headers.map(\.name).joined()
            told.append("\(dialog.id.callID) \(refusal.status) \(headers) \(invite.count)")
        }
    }

    @Test("are closed once, for an honest reason; who rang gets a 503, who was answered a BYE, the relay forgets them")
    func closed() async throws {
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        let foreign = try await base.lease(slot: 8)
        let ringing = SampleCall.facts()
        let recording = SampleCall.facts()
        let ended = SampleCall.facts()
        let elsewhere = SampleCall.facts(slot: 8)
        for facts in [ringing, recording, ended] {
            try await base.storage.write(SampleCall.create(facts), under: lease)
            try await base.storage.write(SampleCall.step(facts, 2), under: lease)
        }
        try await base.storage.write(SampleCall.create(elsewhere), under: foreign)
        try await base.storage.write(SampleCall.ended(ended, 3, .callerCancelled), under: lease)
        var diverted = SampleCall.progress(3, .unanswered)
        diverted.termination = Termination(.noAnswer, by: .callee)
        diverted.divertedToVoicemail = true
        try await base.storage.write(.advance(recording, diverted, instance: "calls-1"), under: lease)
        try await base.storage.write(.dialog(recording, FakeLeg().dialog, voicemailID: .make()), under: lease)

        let stage = CallStage()
        stage.relay.add(recording.id)
        let successor = try await base.lease(slot: 7, epoch: 2)
        stage.ownership.set(successor, slot: 7)
        var services = stage.services
        services.journal = CallJournal(storage: base.storage, logger: services.logger, counters: stage.counters)
        let farewells = Farewells()
        let recovery = CallRecovery(storage: base.storage, registry: CallRegistry(), services: services)
        let slots = CallSlots(registry: CallRegistry(), recovery: recovery)
        await slots.acquired(successor)
        await recovery.begin(on: farewells)
        await recovery.finished()

        let closed = try #require(try await base.storage.call(ringing.id)?.progress)
        #expect(closed.state == .unanswered)
        #expect(closed.termination == Termination(.serverRestarted, by: .server))
        #expect(closed.ended != nil && closed.version == 3)
        let kept = try #require(try await base.storage.call(recording.id)?.progress)
        #expect(kept.termination == Termination(.noAnswer, by: .callee))
        #expect(kept.ended != nil && kept.divertedToVoicemail && kept.version == 4)
        #expect(try await base.storage.call(ended.id)?.progress.version == 3)
        #expect(try await base.storage.call(elsewhere.id)?.progress.ended == nil)
        #expect(
            farewells.told.entries.sorted() == [
                "call@test 503 Retry-After 8", "call@test SIP;cause=503;text=\"serverRestarted\"",
            ])
        #expect(stage.relay.held.isEmpty)

        await recovery.add(successor)
        await recovery.finished()
        #expect(farewells.told.entries.count == 2)
        await base.stop()
    }

    @Test("are left alone when the slot has gone to yet another instance")
    func staleSuccessor() async throws {
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        let facts = SampleCall.facts()
        try await base.storage.write(SampleCall.create(facts), under: lease)
        try await base.storage.write(.dialog(facts, FakeLeg().dialog, voicemailID: nil), under: lease)
        let stage = CallStage()
        let late = SlotLease(group: "calls", slot: 7, epoch: 2)
        try await base.lease(slot: 7, epoch: 3)
        stage.ownership.set(late, slot: 7)
        var services = stage.services
        services.journal = CallJournal(storage: base.storage, logger: services.logger, counters: stage.counters)
        let farewells = Farewells()
        let recovery = CallRecovery(storage: base.storage, registry: CallRegistry(), services: services)
        await recovery.begin(on: farewells)
        await recovery.add(late)
        await recovery.finished()
        #expect(farewells.told.entries.isEmpty)
        #expect(try await base.storage.call(facts.id)?.progress.ended == nil)
        await base.stop()
    }

    @Test("end as domain.md has it, whatever state they were in")
    func states() {
        for state in [CallState.authorized, .queued, .ringing, .answered] {
            let closed = SampleCall.progress(5, state).closedAfterRestart(now: SampleCall.start + .seconds(60))
            #expect(closed.state == (state == .answered ? .completed : .unanswered))
            #expect(closed.termination?.reason == .serverRestarted)
            #expect(closed.version == 6)
        }
    }
}
