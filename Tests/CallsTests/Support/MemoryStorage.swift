import Bus
import CallsCore
import Domain
import SIP
import Store
import Synchronization

/// Keeps writes in memory, and fails on demand.
final class MemoryStorage: CallStorage, FarewellStorage {
    let written = Recorder<String>()
    let attempted = Recorder<String>()
    /// What was done about farewells.
    let partings = Recorder<String>()
    private let failure = Mutex<StoreError?>(nil)
    private let kept = Mutex<[String: Farewell]>([:])

    func fail(with error: StoreError?) { failure.withLock { $0 = error } }

    func write(_ writes: [CallWrite], under lease: SlotLease) async throws {
        for write in writes { attempted.append(write.text) }
        if let error = failure.withLock({ $0 }) { throw error }
        for write in writes { written.append(write.text) }
    }

    func keep(_ farewell: Farewell, under lease: SlotLease) async throws {
        partings.append("tried")
        if let error = failure.withLock({ $0 }) { throw error }
        kept.withLock { $0[farewell.dialog.id.localTag] = farewell }
        partings.append("kept")
    }

    func drop(_ farewell: Farewell, under lease: SlotLease) async throws {
        kept.withLock { $0[farewell.dialog.id.localTag] = nil }
        partings.append("dropped")
    }

    func farewells(under lease: SlotLease) async throws -> [Farewell] { kept.withLock { Array($0.values) } }
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
