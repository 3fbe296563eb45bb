import Synchronization

/// Closed until opened; who waits goes on then. Cancelling a wait ends it too.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        var next = 0
    }

    private let state = Mutex(State())

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting.values.map { $0 }
        }
        for waiter in waiting { waiter.resume() }
    }

    func wait() async {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let resumes = state.withLock { state in
                    if state.isOpen || Task.isCancelled { return true }
                    state.waiting[number] = continuation
                    return false
                }
                if resumes { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.resume()
        }
    }

    /// Waits until the task is cancelled, then opens.
    func openOnCancel() async throws {
        await Gate().wait()
        open()
        throw CancellationError()
    }
}
