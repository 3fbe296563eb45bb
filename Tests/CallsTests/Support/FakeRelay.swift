import CallsCore
import Domain
import Synchronization

/// A relay that marks the descriptions it passes on.
final class FakeRelay: MediaRelay {
    private struct State {
        var isReady = true
        var isDead = false
        var held: Set<BellwireID> = []
        var packets: UInt64 = 0
        var hasAnother = false
    }

    private let state = Mutex(State())
    /// The descriptions offered, in their order.
    let offers = Recorder<String>()

    func set(isReady: Bool) { state.withLock { $0.isReady = isReady } }
    func set(isDead: Bool) { state.withLock { $0.isDead = isDead } }
    func set(packets: UInt64) { state.withLock { $0.packets = packets } }
    func set(hasAnother: Bool) { state.withLock { $0.hasAnother = hasAnother } }
    func move(_ call: BellwireID) async -> Bool { state.withLock { $0.hasAnother } }
    func forget() { state.withLock { $0.held = [] } }
    func add(_ call: BellwireID) { _ = state.withLock { $0.held.insert(call) } }
    var held: Set<BellwireID> { state.withLock { $0.held } }

    func isReady() async -> Bool { state.withLock { $0.isReady } }

    func offer(_ sdp: String, for session: RelaySession) async throws(RelayError) -> String {
        try check()
        offers.append(sdp)
        _ = state.withLock { $0.held.insert(session.call) }
        return "offered " + sdp
    }

    func answer(_ sdp: String, for session: RelaySession) async throws(RelayError) -> String {
        try check()
        guard held.contains(session.call) else { throw .unknownSession }
        return "answered " + sdp
    }

    func delete(_ call: BellwireID) async throws(RelayError) {
        try check()
        _ = state.withLock { $0.held.remove(call) }
    }

    func packets(of call: BellwireID) async throws(RelayError) -> UInt64? {
        try check()
        return held.contains(call) ? state.withLock { $0.packets } : nil
    }

    func sessions() async throws(RelayError) -> [BellwireID] {
        try check()
        return Array(held)
    }

    private func check() throws(RelayError) {
        if state.withLock({ $0.isDead }) { throw .unreachable }
    }
}
