import Bus
import CallsCore
import Domain
import Store
import Synchronization

/// Keeps writes in memory, and fails on demand.
final class MemoryStorage: CallStorage {
    let written = Recorder<String>()
    let attempted = Recorder<String>()
    private let failure = Mutex<StoreError?>(nil)

    func fail(with error: StoreError?) { failure.withLock { $0 = error } }

    func write(_ writes: [CallWrite], under lease: SlotLease) async throws {
        for write in writes { attempted.append(write.text) }
        if let error = failure.withLock({ $0 }) { throw error }
        for write in writes { written.append(write.text) }
    }
}

extension CallWrite {
    /// `1 authorized`, `3 unanswered noAnswer`, `4 unanswered noAnswer ended`, `kept`.
    var text: String {
        switch self {
        case .create(_, _, let progress), .advance(_, let progress, _, _):
            "\(progress.version) \(progress.state)" + (progress.termination.map { " \($0.reason)" } ?? "")
                + (progress.ended == nil ? "" : " ended")
        case .keep: "kept"
        }
    }
}

/// Leases that a test gives and takes.
final class TestOwnership: SlotOwnership {
    private let leases: Mutex<[Int: SlotLease]>

    init(_ leases: [SlotLease] = [SlotLease(group: "calls", slot: 7, epoch: 1)]) {
        self.leases = Mutex(Dictionary(uniqueKeysWithValues: leases.map { ($0.slot, $0) }))
    }

    func set(_ lease: SlotLease?, slot: Int) { leases.withLock { $0[slot] = lease } }
    func lease(slot: Int) -> SlotLease? { leases.withLock { $0[slot] } }
}
