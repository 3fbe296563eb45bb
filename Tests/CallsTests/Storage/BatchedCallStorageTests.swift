import Bus
import CallsCore
import Domain
import Store
import Synchronization
import Testing

@Suite("Steps of several calls at once", .timeLimit(.minutes(1)))
struct BatchedCallStorageTests {
    /// Keeps each transaction open until the test lets it go.
    private actor SlowStorage: CallStorage {
        private(set) var batches: [[String]] = []
        private var held: [CheckedContinuation<Void, Never>] = []
        private var blamed: BellwireID?
        private var isOpen = false

        func blame(_ call: BellwireID) { blamed = call }

        func write(_ writes: [CallWrite], under lease: SlotLease) async throws {
            batches.append(writes.map(\.text))
            if !isOpen { await withCheckedContinuation { held.append($0) } }
            if writes.contains(where: { $0.facts.id == blamed }) {
                throw StoreError.constraint(name: "call_check", kind: .check)
            }
        }

        /// Returns once that many have begun.
        func begun(_ count: Int) async { while batches.count < count { await Task.yield() } }

        func open() {
            isOpen = true
            for continuation in held { continuation.resume() }
            held = []
        }
    }

    private let lease = SlotLease(group: "calls", slot: 7, epoch: 1)

    @Test("go out at once while few do, and share a transaction while those are under way, each slot its own")
    func shares() async throws {
        let slow = SlowStorage()
        let storage = BatchedCallStorage(slow, width: 1, size: 3)
        let lease = lease
        let other = SlotLease(group: "calls", slot: 8, epoch: 1)
        async let first: Void = storage.write(SampleCall.step(SampleCall.facts(), 2), under: lease)
        await slow.begun(1)
        try await withThrowingTaskGroup { group in
            for version in 3...6 {
                group.addTask {
                    try await storage.write(SampleCall.step(SampleCall.facts(), UInt64(version)), under: lease)
                }
            }
            group.addTask { try await storage.write(SampleCall.step(SampleCall.facts(slot: 8), 9), under: other) }
            while await storage.waitingCount < 5 { await Task.yield() }
            await slow.open()
            try await group.waitForAll()
        }
        try await first
        let batches = await slow.batches
        #expect(batches.map(\.count).sorted() == [1, 1, 1, 3])
        #expect(batches.contains(["9 ringing"]))
        #expect(Set(batches.joined()).count == 6)
    }

    @Test("fail alone when one of them is to blame")
    func blame() async throws {
        let slow = SlowStorage()
        let storage = BatchedCallStorage(slow, width: 1)
        let lease = lease
        let bad = SampleCall.facts()
        await slow.blame(bad.id)
        async let first: Void = storage.write(SampleCall.step(SampleCall.facts(), 2), under: lease)
        await slow.begun(1)
        async let good: Void = storage.write(SampleCall.step(SampleCall.facts(), 3), under: lease)
        let failing = Task { try await storage.write(SampleCall.step(bad, 4), under: lease) }
        while await storage.waitingCount < 2 { await Task.yield() }
        await slow.open()
        try await first
        try await good
        await #expect(throws: StoreError.self) { try await failing.value }
    }
}
