import Bus
import CallsCore
import Domain
import Observability
import SIP
import Store
import Testing

@Suite("The journal of calls", .timeLimit(.minutes(1)))
struct CallJournalTests {
    private let storage = MemoryStorage()
    private let counters = Counters()
    private let lease = SlotLease(group: "calls", slot: 7, epoch: 1)

    private func journal(limit: Int = 100) -> CallJournal {
        CallJournal(
            storage: storage, limit: limit, backoff: .milliseconds(2),
            logger: Logger(service: "calls", instance: "test", sink: MemorySink()), counters: counters)
    }

    @Test("a first step that cannot be written fails; a later one waits and is written in order")
    func waiting() async {
        let journal = journal()
        let facts = SampleCall.facts()
        #expect(await journal.append(SampleCall.create(facts), under: lease) == .durable)
        storage.fail(with: .unreachable)
        #expect(await journal.append(SampleCall.create(SampleCall.facts()), under: lease) == .failed)
        #expect(await journal.append(SampleCall.step(facts, 2), under: lease) == .deferred)
        #expect(await journal.append(SampleCall.step(facts, 3), under: lease) == .deferred)
        #expect(counters.gauge("calls_writes_waiting").value == 2)
        storage.fail(with: nil)
        await journal.flush()
        #expect(storage.written.entries == ["1 authorized", "2 ringing", "3 ringing"])
        #expect(counters.gauge("calls_writes_waiting").value == 0)
    }

    @Test("what another instance owns is not tried again")
    func stale() async {
        let journal = journal()
        storage.fail(with: .staleEpoch)
        #expect(await journal.append(SampleCall.step(SampleCall.facts(), 2), under: lease) == .stale)
        #expect(storage.attempted.entries.count == 1)
        await journal.flush()
    }

    @Test("what the store will never take is dropped, counted, and does not hold up the next step")
    func lost() async {
        let journal = journal()
        let facts = SampleCall.facts()
        storage.fail(with: .constraint(name: "call_check", kind: .check))
        #expect(await journal.append(SampleCall.step(facts, 2), under: lease) == .failed)
        storage.fail(with: nil)
        #expect(await journal.append(SampleCall.step(facts, 3), under: lease) == .durable)
        #expect(counters.counter("calls_writes_lost_total").value == 1)
    }

    @Test("is full at its limit, and not any more once the store is back")
    func full() async {
        let journal = journal(limit: 2)
        storage.fail(with: .connectionLost)
        for _ in 0..<2 { _ = await journal.append(SampleCall.step(SampleCall.facts(), 2), under: lease) }
        #expect(await journal.isFull)
        storage.fail(with: nil)
        await journal.flush()
        #expect(await !journal.isFull)
    }

    @Test("a call that waits does not hold up another")
    func sideBySide() async {
        let journal = journal()
        storage.fail(with: .conflict)
        _ = await journal.append(SampleCall.step(SampleCall.facts(), 2), under: lease)
        storage.fail(with: nil)
        #expect(await journal.append(SampleCall.step(SampleCall.facts(), 5), under: lease) == .durable)
        await journal.flush()
    }
}
