import Bus
import CallsCore
import Domain
import RPC
import SIP
import Store
import Testing
import Wire
import WireFormat

@Suite("Calls in PostgreSQL", .timeLimit(.minutes(2)))
struct PostgresCallStorageTests {
    @Test("a call comes back as it was stored, and each version is published once")
    func roundTrip() async throws {
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        let facts = SampleCall.facts()
        try await base.storage.write(SampleCall.create(facts), under: lease)
        try await base.storage.write(SampleCall.step(facts, 2), under: lease)
        var call = try #require(try await base.storage.call(facts.id))
        #expect(call.facts == facts)
        #expect(call.progress == SampleCall.progress(2))
        #expect(call.continuation == nil)
        var kept = SampleCall.continuation(SampleCall.progress(2))
        kept.answerToCaller = "v=0"
        try await base.storage.write(.keep(facts, kept), under: lease)
        let live = try #require(try await base.storage.liveCalls(slot: 7, after: nil, limit: 10).first)
        #expect(live.continuation?.dialog == FakeLeg().dialog)
        #expect(live.continuation?.answerToCaller == "v=0")
        #expect(live.continuation?.machine.phase == .ringing)
        #expect(live.invite == Array("INVITE \0".utf8))
        try await base.storage.write(SampleCall.ended(facts, 3, .noAnswer), under: lease)
        call = try #require(try await base.storage.call(facts.id))
        #expect(call.progress.termination == Termination(.noAnswer, by: .callee))
        #expect(call.progress.ended == call.progress.updated)

        let events = try await base.published()
        #expect(events.map(\.version) == [1, 2, 3])
        #expect(events.allSatisfy { $0.key == facts.id.description && $0.owner == SampleCall.user.description })
        let last = try CallsV1.CallEvent(wireBytes: events[2].payload).call
        #expect(last == CallsV1.Call(call))
        #expect(last?.callee?.recordID == facts.id.callRecordID(of: .callee).description)
        #expect(last?.instance == "")
        await base.stop()
    }

    @Test("a write that is repeated, or of a call that never came to be, changes and publishes nothing")
    func repeated() async throws {
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        let facts = SampleCall.facts()
        for _ in 0..<2 { try await base.storage.write(SampleCall.create(facts), under: lease) }
        for _ in 0..<2 { try await base.storage.write(SampleCall.step(facts, 2), under: lease) }
        try await base.storage.write(SampleCall.step(facts, 4), under: lease)
        try await base.storage.write(SampleCall.ended(SampleCall.facts(), 2, .noAnswer), under: lease)
        #expect(try await base.published().map(\.version) == [1, 2])
        await base.stop()
    }

    @Test("a farewell is kept once for its dialog, until it is dropped or nobody waits for it any more")
    func farewells() async throws {
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        var dialog = FakeLeg().dialog
        try await base.storage.keep(Farewell(in: dialog, reason: SIPHeader("Reason", "Q.850;cause=16")), under: lease)
        dialog.localCSeq = 1001
        let farewell = Farewell(in: dialog, reason: nil)
        try await base.storage.keep(farewell, under: lease)
        #expect(try await base.storage.farewells(under: lease) == [farewell])
        let other = try await base.lease(slot: 8)
        #expect(try await base.storage.farewells(under: other).isEmpty)
        try await base.storage.drop(farewell, under: lease)
        #expect(try await base.storage.farewells(under: lease).isEmpty)
        try await base.storage.keep(farewell, under: lease)
        try await base.owner.execute("UPDATE calls.farewell SET begun = begun - interval '33 seconds'")
        #expect(try await base.storage.farewells(under: lease).isEmpty)
        try await base.lease(slot: 7, epoch: 2)
        await #expect(throws: StoreError.staleEpoch) { try await base.storage.keep(farewell, under: lease) }
        await base.stop()
    }

    @Test("a stale lease writes nothing")
    func stale() async throws {
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        let facts = SampleCall.facts()
        try await base.storage.write(SampleCall.create(facts), under: lease)
        try await base.lease(slot: 7, epoch: 2)
        await #expect(throws: StoreError.staleEpoch) {
            try await base.storage.write(SampleCall.step(facts, 2), under: lease)
        }
        #expect(try await base.storage.call(facts.id)?.progress.version == 1)
        #expect(try await base.published().count == 1)
        await base.stop()
    }

    @Test("absent optional fields are stored as nothing; a withheld caller has no number")
    func withheld() async throws {
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        let facts = SampleCall.facts(withheld: true)
        try await base.storage.write(SampleCall.create(facts), under: lease)
        #expect(try await base.storage.call(facts.id)?.facts == facts)
        let rows = try await base.owner.query(
            "SELECT caller_number IS NULL AS empty, callee_persona_id IS NULL AS nobody FROM calls.call")
        #expect(try rows[0].bool("empty") && rows[0].bool("nobody"))
        await base.stop()
    }

    @Test("a listing goes through every call once, newest first, also where many began at one moment")
    func pages() async throws {
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        let other = BellwireID.make()
        var expected: [BellwireID] = []
        for index in 0..<7 {
            let facts = SampleCall.facts()
            let created = SampleCall.start + .seconds(Int64(index / 3))
            try await base.storage.write(SampleCall.create(facts, created: created), under: lease)
            expected.append(facts.id)
        }
        try await base.storage.write(SampleCall.create(SampleCall.facts(account: other)), under: lease)
        let handler = CallsHandler(storage: base.storage, registry: CallRegistry(), ownership: TestOwnership())
        var seen: [String] = []
        var request = CallsV1.ListCallsRequest()
        request.accountID = SampleCall.account.description
        request.limit = 2
        repeat {
            let page = try await handler.listCalls(request, context: .init())
            #expect(page.calls.count <= 2)
            seen += page.calls.map(\.id)
            request.after = page.next
        } while !request.after.isEmpty
        let groups = [expected[6...6], expected[3...5], expected[0...2]]
        #expect(seen.count == 7)
        #expect(Set(seen[0...0]) == Set(groups[0].map(\.description)))
        #expect(Set(seen[1...3]) == Set(groups[1].map(\.description)))
        #expect(Set(seen[4...6]) == Set(groups[2].map(\.description)))

        request.after = ""
        request.accountID = ""
        request.limit = 0
        #expect(try await handler.listCalls(request, context: .init()).calls.count == 8)
        try await base.storage.write(SampleCall.ended(SampleCall.facts(), 2, .noAnswer), under: lease)
        request.live = true
        #expect(try await handler.listCalls(request, context: .init()).calls.count == 8)
        await base.stop()
    }

    @Test("wrong ids and tokens are the caller's fault, unknown calls are not found")
    func errors() async throws {
        let base = try await CallDatabase()
        let handler = CallsHandler(storage: base.storage, registry: CallRegistry(), ownership: TestOwnership([]))
        var get = CallsV1.GetCallRequest()
        get.callID = "7"
        await #expect(throws: (any Error).self) { try await handler.getCall(get, context: .init()) }
        get.callID = BellwireID.make().description
        await #expect(throws: (any Error).self) { try await handler.getCall(get, context: .init()) }
        var list = CallsV1.ListCallsRequest()
        list.after = "0123"
        await #expect(throws: (any Error).self) { try await handler.listCalls(list, context: .init()) }

        // A live call of a slot that is not ours is the owner's to end.
        let lease = try await base.lease(slot: 7)
        let facts = SampleCall.facts()
        try await base.storage.write(SampleCall.create(facts), under: lease)
        var hangUp = CallsV1.HangUpCallRequest()
        hangUp.callID = facts.id.description
        await #expect(throws: (any Error).self) { try await handler.hangUpCall(hangUp, context: .init()) }
        try await base.storage.write(SampleCall.ended(facts, 2, .noAnswer), under: lease)
        #expect(try await handler.hangUpCall(hangUp, context: .init()).call?.state == .unanswered)
        await base.stop()
    }
}
