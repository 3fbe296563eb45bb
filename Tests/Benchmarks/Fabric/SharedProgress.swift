import Glibc
import Synchronization

/// Counters in a file that the two processes of a measure map: how much has arrived, so that the sender keeps a bounded
/// amount under way, by the same rule for every peer.
final class SharedProgress: @unchecked Sendable {
    // `@unchecked`: the memory holds atomics, and is never unmapped.

    private let counters: UnsafeMutablePointer<Atomic<Int>>

    init(_ path: String) {
        let file = open(path, O_RDWR)
        guard file >= 0, let memory = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            memory != MAP_FAILED
        else { fatalError("no progress file at \(path)") }
        close(file)
        counters = memory.bindMemory(to: Atomic<Int>.self, capacity: 2)
    }

    /// Deliveries so far, of all subscribers.
    var received: Int { counters[0].load(ordering: .relaxed) }

    func receive(_ count: Int) { counters[0].wrappingAdd(count, ordering: .relaxed) }

    /// Subscribers that have heard the sender at least once.
    var ready: Int { counters[1].load(ordering: .relaxed) }

    func markReady() { counters[1].wrappingAdd(1, ordering: .relaxed) }
}
