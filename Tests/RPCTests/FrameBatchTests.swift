import RPC
import Testing

@Suite("Batches of frames") struct FrameBatchTests {
    /// What is read from a message: the calls' ids with their payloads, and how much was garbage.
    private static func read(_ message: [UInt8]) -> (frames: [(UInt64, [UInt8])], garbage: Int) {
        var frames: [(UInt64, [UInt8])] = []
        let garbage = message.withUnsafeBytes { message in
            FrameBatch.read(message) { frames.append(($0.callID, [UInt8]($0.payload))) }
        }
        return (frames, garbage)
    }

    private static func append(_ id: UInt64, _ payload: [UInt8], to batch: FrameBatch) -> Bool {
        payload.withUnsafeBytes { batch.append(Frame(.response, callID: id), $0) }
    }

    @Test("have the documented layout; a single frame is the message") func golden() {
        let batch = FrameBatch()
        #expect(Self.append(7, [0x61], to: batch))
        let first: [UInt8] = [1, 2, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0x61]
        #expect(batch.take() == first)
        #expect(batch.isEmpty)
        #expect(Self.append(7, [0x61], to: batch))
        #expect(Self.append(8, [], to: batch))
        let second: [UInt8] = [1, 2, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0]
        #expect(batch.take() == [1, 10, 0, 0, 17, 0, 0, 0] + first + [16, 0, 0, 0] + second)
        #expect(batch.take() == [])
    }

    @Test(
        "take frames until they are full, and any frame when they are empty", arguments: [1, 20, 300, 5000, 16 << 10])
    func capacity(_ bytes: Int) {
        let batch = FrameBatch()
        #expect(Self.append(1, [UInt8](repeating: 1, count: 1 << 20), to: batch))
        #expect(!Self.append(2, [], to: batch))
        #expect(batch.take().count == 1 << 20 + 16)
        var sent: UInt64 = 0
        while Self.append(sent + 1, [UInt8](repeating: UInt8(sent & 255), count: bytes), to: batch) { sent += 1 }
        #expect(batch.count == Int(sent))
        let message = batch.take()
        #expect(message.count <= FrameBatch.capacity && message.count > FrameBatch.capacity - bytes - 20)
        let (frames, garbage) = Self.read(message)
        #expect(garbage == 0 && frames.map(\.0) == Array(1...sent))
        #expect(frames.allSatisfy { $1 == [UInt8](repeating: UInt8(($0 - 1) & 255), count: bytes) })
    }

    @Test("that are cut off or damaged give what came before, and nothing crashes", arguments: UInt64(0)..<8)
    func garbage(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let batch = FrameBatch()
            let count = UInt64.random(in: 1...5, using: &random)
            for id in 1...count { _ = Self.append(id, [UInt8](repeating: 9, count: Int(id)), to: batch) }
            let whole = batch.take()
            let kept = Int.random(in: 0..<whole.count, using: &random)
            let cut = Self.read(Array(whole.prefix(kept)))
            #expect(cut.frames.map(\.0) == Array(1...count).prefix(cut.frames.count).map { $0 })
            var damaged = whole
            damaged[Int.random(in: 0..<whole.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            #expect(Self.read(damaged).frames.count <= Int(count) + 1)
        }
        #expect(Self.read([1, 10, 0, 0]).garbage == 0)
        #expect(Self.read([1, 10, 0]).garbage == 1)
        #expect(Self.read([2, 10, 0, 0]).garbage == 1)
        #expect(Self.read([1, 10, 0, 0, 0, 0, 0, 0]).garbage == 1)
        #expect(Self.read([1, 10, 0, 0, 255, 255, 255, 255, 1]).garbage == 1)
        let nested: [UInt8] = [1, 10, 0, 0, 4, 0, 0, 0, 1, 10, 0, 0]
        #expect(Self.read(nested).garbage == 1)
    }
}
