import Synchronization

/// Wakes one waiting loop. Signals given while it is not waiting are one, kept for its next wait.
final class WakeSignal: Sendable {
    private struct State {
        var isSignalled = false
        var turn = 0
        var waiting: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func signal() {
        state.withLock { state in
            guard let waiting = state.waiting else {
                state.isSignalled = true
                return nil as CheckedContinuation<Void, Never>?
            }
            state.waiting = nil
            state.turn += 1
            return waiting
        }?.resume()
    }

    /// Returns at a signal, after `limit`, or when the task is cancelled.
    func wait(upTo limit: Duration) async {
        let turn = state.withLock { $0.turn }
        let timer = Task {
            try? await Task.sleep(for: limit)
            self.end(turn)
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mayPass = state.withLock { state in
                    if state.isSignalled || state.turn != turn || Task.isCancelled {
                        state.isSignalled = false
                        return true
                    }
                    state.waiting = continuation
                    return false
                }
                if mayPass { continuation.resume() }
            }
        } onCancel: {
            signal()
        }
        timer.cancel()
        state.withLock { if $0.turn == turn { $0.turn += 1 } }
    }

    private func end(_ turn: Int) {
        state.withLock { state in
            guard state.turn == turn else { return nil as CheckedContinuation<Void, Never>? }
            state.turn += 1
            defer { state.waiting = nil }
            return state.waiting
        }?.resume()
    }
}
