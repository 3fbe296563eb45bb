import Bus
import CallsCore
import SIP
import Store
import Testing

@Suite("BYEs without an answer", .timeLimit(.minutes(1)))
struct FarewellTests {
    private let stage = CallStage()
    private let lease = SlotLease(group: "calls", slot: 7, epoch: 1)
    private let farewell = Farewell(in: FakeLeg().dialog, reason: SIPHeader("Reason", "Q.850;cause=16"))

    private func say() { stage.farewells.say(farewell, under: lease) { .ours } }

    @Test("are stored when it takes too long, and forgotten with the answer")
    func late() async {
        say()
        await stage.storage.partings.wait(for: "kept")
        stage.farewells.answered(.bye, slot: 7)
        stage.farewells.answered(.ours, slot: 8)
        #expect(stage.farewells.count == 1)
        stage.farewells.answered(.ours, slot: 7)
        await stage.storage.partings.wait(for: "dropped")
        #expect(stage.farewells.count == 0)
    }

    @Test("cost nothing when the answer comes in time, even before the sending is over")
    func inTime() async throws {
        say()
        stage.farewells.answered(.ours, slot: 7)
        #expect(stage.farewells.count == 0)
        try await Task.sleep(for: .milliseconds(60))
        #expect(stage.storage.partings.entries.isEmpty)
    }

    @Test("wait for a store that is away; nobody stores them once the slot is another's")
    func away() async throws {
        stage.storage.fail(with: .unreachable)
        say()
        await stage.storage.partings.wait { $0.count == 3 }
        stage.storage.fail(with: nil)
        await stage.storage.partings.wait(for: "kept")
        stage.storage.fail(with: .staleEpoch)
        stage.farewells.say(farewell, under: lease) { .bye }
        let before = stage.storage.partings.entries.count
        await stage.storage.partings.wait { $0.count == before + 1 }
        while stage.farewells.count > 0 { await Task.yield() }
    }

    @Test("are stored at once when the slot is handed over, and said again by whoever has it then")
    func again() async throws {
        say()
        await stage.farewells.handOver(lease)
        #expect(stage.storage.partings.entries == ["tried", "kept"])
        let next = SlotLease(group: "calls", slot: 7, epoch: 2)
        let heir = Farewells(
            storage: stage.storage, patience: .zero, logger: stage.services.logger)
        await heir.repeatKept(under: next, on: stage.calls)
        #expect(
            stage.calls.told.entries == [
                .adopted("theirs"), .sent("BYE", in: "theirs", reason: "Q.850;cause=16"),
            ])
        #expect(heir.count == 1)
        // A third process counts on from where the second began.
        await stage.storage.partings.wait { $0.count { $0 == "kept" } == 2 }
        let kept = try await stage.storage.farewells(under: next)
        #expect(kept.map(\.dialog.localCSeq) == [farewell.dialog.localCSeq + 1000])
        let transaction = try #require(stage.calls.transactions.first)
        heir.answered(transaction, slot: 7)
        await stage.storage.partings.wait(for: "dropped")
    }

    @Test("of a call are those to either side")
    func ofACall() async {
        let call = stage.call()
        await call.start()
        await stage.leg.told.wait { $0.count == 2 }
        await call.receive(.acknowledged(nil))
        await call.operatorHungUp()
        await stage.over.pass()
        #expect(stage.farewells.count == 1)
        stage.farewells.answered(.ours, slot: 7)
        #expect(stage.farewells.count == 0)
    }
}
