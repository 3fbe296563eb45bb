import Bus
import CallsCore
import Domain
import Testing

@Suite("The fence before the relay", .timeLimit(.minutes(1)))
struct FencedRelayTests {
    private let relay = FakeRelay()
    private let ownership = TestOwnership()
    private let session = RelaySession(call: .make(slot: 7), callerTag: "a", calleeTag: "b")

    @Test("lets nobody change anything who does not own the slot")
    func strangers() async {
        let fenced = FencedRelay(relay, ownership: ownership, patience: .zero)
        ownership.set(nil, slot: 7)
        relay.add(session.call)
        await #expect(throws: RelayError.stopped) { try await fenced.offer("sdp", for: session) }
        await #expect(throws: RelayError.stopped) { try await fenced.answer("sdp", for: session) }
        await #expect(throws: RelayError.stopped) { try await fenced.delete(session.call) }
        #expect(relay.held == [session.call])
    }

    @Test("waits while that is in doubt")
    func doubt() async throws {
        let fenced = FencedRelay(relay, ownership: ownership)
        ownership.set(nil, slot: 7)
        let offer = Task { try await fenced.offer("sdp", for: session) }
        #expect(relay.held.isEmpty)
        ownership.set(SlotLease(group: "calls", slot: 7, epoch: 1), slot: 7)
        #expect(try await offer.value == "offered sdp")
    }
}
