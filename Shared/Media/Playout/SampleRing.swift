import Synchronization

/// Carries recorded audio from the media thread to the thread that writes it, without a lock: one writer, one reader.
///
/// Each entry is some silence followed by samples: words 0-1 the silent samples (low, high), word 2 the number of samples, then
/// those. `@unchecked Sendable`: the reader alone moves `head`, the writer alone `tail`, and each touches only what the other's
/// index has released.
public final class SampleRing: @unchecked Sendable {
    private static let entryWords = 3
    private let words: UnsafeMutablePointer<Int16>
    private let capacity: Int
    private let head = Atomic<Int>(0)
    private let tail = Atomic<Int>(0)

    /// - Parameter capacity: in samples.
    public init(capacity: Int) {
        self.capacity = capacity
        words = .allocate(capacity: capacity)
        words.initialize(repeating: 0, count: capacity)
    }

    deinit { words.deallocate() }

    /// Puts an entry in; false when the reader is so far behind that it has no room. For the writer's thread.
    public func write(silence: Int, samples: Span<Int16>) -> Bool {
        let tail = self.tail.load(ordering: .relaxed)
        let needed = Self.entryWords + samples.count
        guard needed <= capacity - (tail - head.load(ordering: .acquiring)), samples.count <= Int(Int16.max) else {
            return false
        }
        self[tail] = Int16(truncatingIfNeeded: silence)
        self[tail + 1] = Int16(truncatingIfNeeded: silence >> 16)
        self[tail + 2] = Int16(samples.count)
        for index in 0..<samples.count { self[tail + Self.entryWords + index] = samples[index] }
        self.tail.store(tail + needed, ordering: .releasing)
        return true
    }

    /// Appends what is there as little-endian bytes, silence as zeros, until about `limit` bytes; false when nothing was there.
    public func read(into bytes: inout [UInt8], limit: Int = 1 << 20) -> Bool {
        var head = self.head.load(ordering: .relaxed)
        let tail = self.tail.load(ordering: .acquiring)
        guard head < tail else { return false }
        while head < tail, bytes.count < limit {
            let silence = Int(UInt16(bitPattern: self[head])) | Int(UInt16(bitPattern: self[head + 1])) << 16
            let count = Int(self[head + 2])
            bytes.append(contentsOf: repeatElement(0, count: 2 * silence))
            for index in 0..<count {
                bytes.append(littleEndian: UInt16(bitPattern: self[head + Self.entryWords + index]))
            }
            head += Self.entryWords + count
        }
        self.head.store(head, ordering: .releasing)
        return true
    }

    private subscript(_ index: Int) -> Int16 {
        get { words[index % capacity] }
        set { words[index % capacity] = newValue }
    }
}
