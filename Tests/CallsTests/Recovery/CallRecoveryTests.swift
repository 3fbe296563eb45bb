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
    /// Brings calls back on the stage's sides.
    private struct Revival: CallRevival {
        let stage: CallStage
        let services: CallServices
        let registry: CallRegistry

        func revive(_ call: StoredCall, under lease: SlotLease) async -> CallActor? {
            guard let continuation = call.continuation, let invite = call.invite else { return nil }
            return await CallActor(
                reviving: call, from: continuation, lease: lease, leg: stage.leg, calls: stage.calls,
                invite: CallInvite(
                    dialled: "", caller: CallerIdentity(presented: nil, asserted: [], isWithheld: true),
                    audio: .absent, rawMessage: invite),
                services: services, routes: { _ in }, whenOver: { [stage] in stage.over.open() })
        }
    }

    /// A successor of the process that had slot 7, on this database.
    private static func successor(
        _ base: CallDatabase, _ stage: CallStage
    ) async throws -> (recovery: CallRecovery, revival: Revival, lease: SlotLease) {
        let lease = try await base.lease(slot: 7, epoch: 2)
        stage.ownership.set(lease, slot: 7)
        var services = stage.services
        services.journal = CallJournal(storage: base.storage, logger: services.logger, counters: stage.counters)
        let registry = CallRegistry()
        let recovery = CallRecovery(storage: base.storage, registry: registry, services: services)
        return (recovery, Revival(stage: stage, services: services, registry: registry), lease)
    }

    @Test("ring on for the rest of their ring time, and are diverted then")
    func ringing() async throws {
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        let facts = SampleCall.facts()
        try await base.storage.write(SampleCall.create(facts), under: lease)
        try await base.storage.write(SampleCall.step(facts, 2), under: lease)
        try await base.storage.write(
            SampleCall.create(SampleCall.facts(slot: 8)), under: try await base.lease(slot: 8))

        let stage = CallStage()
        let (recovery, revival, successor) = try await Self.successor(base, stage)
        await recovery.add(successor)
        await recovery.begin(with: revival)
        await recovery.finished()
        #expect(stage.leg.told.entries.isEmpty)
        // Its ring time was over long ago.
        await recovery.speak()
        await stage.leg.told.wait { $0.contains { if case .answered = $0 { true } else { false } } }
        #expect(stage.neighbours.voicemail.entries.first == "taken")
        let call = try #require(try await base.storage.call(facts.id))
        #expect(call.progress.state == .unanswered)
        #expect(call.progress.termination == Termination(.noAnswer, by: .callee))
        #expect(call.progress.version == 3)
        #expect(stage.counters.counter("calls_recovered_total").value == 1)
        await base.stop()
    }

    @Test("are closed once, for an honest reason, when nobody knows how to go on")
    func closed() async throws {
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        let ringing = SampleCall.facts()
        let diverted = SampleCall.facts()
        let ended = SampleCall.facts()
        for facts in [ringing, diverted, ended] {
            try await base.storage.write(SampleCall.create(facts), under: lease)
            try await base.storage.write(SampleCall.step(facts, 2), under: lease)
        }
        try await base.storage.write(SampleCall.ended(ended, 3, .callerCancelled), under: lease)
        var progress = SampleCall.progress(3, .unanswered)
        progress.termination = Termination(.noAnswer, by: .callee)
        progress.divertedToVoicemail = true
        try await base.storage.write(
            .advance(diverted, progress, SampleCall.continuation(progress), instance: "calls-1"), under: lease)
        // As a version would see it that cannot read what another wrote.
        try await base.owner.execute("UPDATE calls.call SET continuation = '{}' WHERE ended IS NULL")

        let stage = CallStage()
        stage.relay.add(diverted.id)
        let (recovery, revival, successor) = try await Self.successor(base, stage)
        await recovery.begin(with: revival)
        await recovery.add(successor)
        await recovery.finished()
        await recovery.speak()
        let closed = try #require(try await base.storage.call(ringing.id)?.progress)
        #expect(closed.state == .unanswered)
        #expect(closed.termination == Termination(.serverRestarted, by: .server))
        #expect(closed.ended != nil && closed.version == 3)
        let kept = try #require(try await base.storage.call(diverted.id)?.progress)
        #expect(kept.termination == Termination(.noAnswer, by: .callee))
        #expect(kept.ended != nil && kept.divertedToVoicemail && kept.version == 4)
        #expect(try await base.storage.call(ended.id)?.progress.version == 3)
        #expect(stage.leg.told.entries.isEmpty)
        #expect(stage.relay.held.isEmpty)
        await base.stop()
    }

    @Test("are left alone when the slot has gone to yet another instance")
    func staleSuccessor() async throws {
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        let facts = SampleCall.facts()
        try await base.storage.write(SampleCall.create(facts), under: lease)
        let stage = CallStage()
        let (recovery, revival, late) = try await Self.successor(base, stage)
        try await base.lease(slot: 7, epoch: 3)
        stage.ownership.set(SlotLease(group: "calls", slot: 7, epoch: 3), slot: 7)
        await recovery.begin(with: revival)
        await recovery.add(late)
        await recovery.finished()
        await recovery.speak()
        #expect(stage.leg.told.entries.isEmpty)
        #expect(try await base.storage.call(facts.id)?.progress.ended == nil)
        await base.stop()
    }

    @Test("end as far as they got when they are closed")
    func states() {
        for state in [CallState.authorized, .queued, .ringing, .answered] {
            let closed = SampleCall.progress(5, state).closedAfterRestart(now: SampleCall.start + .seconds(60))
            #expect(closed.state == (state == .answered ? .completed : .unanswered))
            #expect(closed.termination?.reason == .serverRestarted)
            #expect(closed.version == 6)
        }
    }
}
