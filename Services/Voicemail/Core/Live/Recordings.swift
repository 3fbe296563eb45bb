package import Bus
import Media
package import Observability
import Runtime
import Synchronization

/// The recordings of this process: counts them, keeps their slots here, and waits for them when the process stops.
package final class Recordings: Component, SlotHandler {
    package let name = "recordings"
    private struct State {
        var calls: [Int: (slot: Int, call: TakenCall, task: Task<Void, Never>)] = [:]
        var next = 0
        var isStopping = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())
    private let active: Gauge
    private let drain: Duration
    private let onSlot: @Sendable () -> Void

    /// - Parameters:
    ///   - drain: how long recordings may go on when the process is to stop; then they end where they are.
    ///   - onSlot: a slot was taken over.
    package init(drain: Duration, counters: Counters, onSlot: @escaping @Sendable () -> Void) {
        self.drain = drain
        self.onSlot = onSlot
        active = counters.gauge("recordings_active")
    }

    package var isStopping: Bool { state.withLock { $0.isStopping } }

    func run(_ session: RecordingSession) {
        let key = state.withLock { state in
            defer { state.next += 1 }
            return state.next
        }
        active.add(1)
        // The task begins only once it is noted, so that it cannot be over before.
        let (noted, note) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for await _ in noted {}
            await session.run()
            active.add(-1)
            remove(key)
        }
        state.withLock { $0.calls[key] = (session.folder.recording.slot, session.call, task) }
        note.finish()
    }

    private func remove(_ key: Int) {
        let waiters = state.withLock { state in
            state.calls[key] = nil
            guard state.calls.isEmpty else { return [] as [CheckedContinuation<Void, Never>] }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    package func start() async throws {}

    /// Takes no more calls, lets those in hand go on for the drain, ends them, and gives up what the database does not take:
    /// it is on disk.
    package func stop() async {
        state.withLock { $0.isStopping = true }
        let ending = Task {
            guard (try? await Task.sleep(for: drain)) != nil else { return }
            for entry in state.withLock({ $0.calls.values }) { entry.call.end(.failure) }
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            for entry in state.withLock({ $0.calls.values }) { entry.task.cancel() }
        }
        await allEnded()
        ending.cancel()
    }

    private func allEnded() async {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                if !state.calls.isEmpty { state.waiters.append(continuation) }
                return state.calls.isEmpty
            }
            if isEmpty { continuation.resume() }
        }
    }

    package func acquired(_ lease: SlotLease) async { onSlot() }

    package func isBusy(slot: Int) async -> Bool {
        state.withLock { $0.calls.values.contains { $0.slot == slot } }
    }
}
