package import Bus
package import Domain
import SIP
import Synchronization

/// The calls that this process carries, by id, by their dialogs and by their INVITEs.
package final class CallRegistry: Sendable {
    struct Entry: Sendable {
        let call: CallActor
        /// The INVITE's; nil when nothing of it is open.
        let transaction: SIPTransactionID?
        /// The caller's.
        let dialog: DialogID
        /// What the sides do, in order. Full: what comes is dropped, except the end.
        let events: AsyncStream<CallSignal>.Continuation
    }

    private struct State {
        var byID: [BellwireID: Entry] = [:]
        var routes: [CallActor.Route: BellwireID] = [:]
        var routesOf: [BellwireID: [CallActor.Route]] = [:]
        var waiting: [CheckedContinuation<Void, Never>] = []

        mutating func add(_ route: CallActor.Route, to id: BellwireID) {
            guard byID[id] != nil, routes[route] != id else { return }
            routes[route] = id
            routesOf[id, default: []].append(route)
        }
    }

    private let state = Mutex(State())

    package init() {}

    package var count: Int { state.withLock { $0.byID.count } }

    package func call(_ id: BellwireID) -> CallActor? { state.withLock { $0.byID[id]?.call } }

    package var calls: [CallActor] { state.withLock { $0.byID.values.map(\.call) } }

    package func calls(under lease: SlotLease) -> [CallActor] { calls.filter { $0.lease == lease } }

    package func hasCalls(slot: Int) -> Bool { state.withLock { $0.byID.keys.contains { $0.slot == slot } } }

    /// Returns once these calls have taken everything that their sides did so far.
    package func settle(_ calls: [CallActor]) async {
        for call in calls {
            await withCheckedContinuation { continuation in
                let events = state.withLock { $0.byID[call.id]?.events }
                switch events?.yield(.mark(continuation)) {
                case .enqueued: break
                default: continuation.resume()
                }
            }
        }
    }

    func entry(_ route: CallActor.Route) -> Entry? {
        state.withLock { state in state.routes[route].flatMap { state.byID[$0] } }
    }

    func add(_ entry: Entry) {
        state.withLock { state in
            state.byID[entry.call.id] = entry
            state.add(.dialog(entry.dialog), to: entry.call.id)
        }
    }

    func add(_ route: CallActor.Route, to id: BellwireID) {
        state.withLock { $0.add(route, to: id) }
    }

    func remove(_ id: BellwireID) {
        let (entry, waiting) = state.withLock { state -> (Entry?, [CheckedContinuation<Void, Never>]) in
            let entry = state.byID.removeValue(forKey: id)
            for route in state.routesOf.removeValue(forKey: id) ?? [] where state.routes[route] == id {
                state.routes[route] = nil
            }
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
