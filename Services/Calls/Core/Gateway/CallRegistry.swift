package import Bus
package import Domain
import SIP
import Synchronization

/// The calls that this process carries, by id and by their caller's dialog.
package final class CallRegistry: Sendable {
    struct Entry: Sendable {
        let call: CallActor
        /// The INVITE's.
        let transaction: SIPTransactionID
        let dialog: DialogID
        /// What the caller does, in order. Full: what comes is dropped, except the end.
        let events: AsyncStream<CallerEvent>.Continuation
    }

    private struct State {
        var byID: [BellwireID: Entry] = [:]
        var byDialog: [DialogID: BellwireID] = [:]
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    package var count: Int { state.withLock { $0.byID.count } }

    package func call(_ id: BellwireID) -> CallActor? { state.withLock { $0.byID[id]?.call } }

    package var calls: [CallActor] { state.withLock { $0.byID.values.map(\.call) } }

    package func calls(under lease: SlotLease) -> [CallActor] { calls.filter { $0.lease == lease } }

    package func hasCalls(slot: Int) -> Bool { state.withLock { $0.byID.keys.contains { $0.slot == slot } } }

    func entry(_ dialog: DialogID) -> Entry? {
        state.withLock { state in state.byDialog[dialog].flatMap { state.byID[$0] } }
    }

    func add(_ entry: Entry) {
        state.withLock { state in
            state.byID[entry.call.id] = entry
            state.byDialog[entry.dialog] = entry.call.id
        }
    }

    func remove(_ id: BellwireID) {
        let (entry, waiting) = state.withLock { state -> (Entry?, [CheckedContinuation<Void, Never>]) in
            let entry = state.byID.removeValue(forKey: id)
            if let entry, state.byDialog[entry.dialog] == id { state.byDialog[entry.dialog] = nil }
            guard state.byID.isEmpty else { return (entry, []) }
            defer { state.waiting = [] }
            return (entry, state.waiting)
        }
        entry?.events.finish()
        for continuation in waiting { continuation.resume() }
    }

    /// Returns once no call is left.
    package func drained() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if !state.byID.isEmpty { state.waiting.append(continuation) }
                return state.byID.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }
}
