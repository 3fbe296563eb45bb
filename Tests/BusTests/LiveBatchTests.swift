import Bus
import Domain
import Store
import Testing

@Suite struct LiveBatchTests {
    private static func event(_ position: UInt64, in log: BellwireID, payload: [UInt8]) -> LoggedEvent {
        LoggedEvent(
            incarnation: log, position: position, topic: "calls", key: "k\u{fc}", version: -3, owner: "",
            type: "test.Event", payload: payload, created: StoreTime(microseconds: 1_700_000_000_123_456))
    }

    @Test("A batch crosses the live path as it is, with its events or without")
    func roundTrip() {
        let log = BellwireID.make()
        let events = [Self.event(7, in: log, payload: []), Self.event(8, in: log, payload: [1, 2, 255])]
        let full = LiveBatch(first: 7, last: 8, events: events)
        #expect(LiveBatch(full.message) == full)
        let bare = LiveBatch(first: 1, last: UInt64(Int64.max))
        #expect(bare.message.count == 16)
        #expect(LiveBatch(bare.message) == bare)
    }

    @Test("What is cut off, too long, or says another number of events than it has is no batch")
    func garbage() {
        let log = BellwireID.make()
        let message = LiveBatch(first: 7, last: 7, events: [Self.event(7, in: log, payload: [1, 2])]).message
        for count in 0..<message.count where count != 16 { #expect(LiveBatch(Array(message[..<count])) == nil) }
        #expect(LiveBatch(message + [0]) == nil)
        for index in 0..<16 {
            var other = message
            other[index] ^= 1
            #expect(LiveBatch(other) == nil)
        }
        // A length of 4 GB, and text that is not UTF-8.
        for (index, byte) in [(48, 255), (52, 255)] as [(Int, UInt8)] {
            var other = message
            other[index] = byte
            #expect(LiveBatch(other) == nil)
        }
    }
}
