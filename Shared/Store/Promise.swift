import Synchronization

/// A value that comes once, for one task that waits. Whoever completes first wins; the others learn that they did not.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case waited(CheckedContinuation<Value, any Error>)
        case done(Result<Value, any Error>)
    }

    private let state = Mutex(State.empty)

    @discardableResult
    func complete(_ result: Result<Value, any Error>) -> Bool {
        let (won, continuation) = state.withLock { state -> (Bool, CheckedContinuation<Value, any Error>?) in
            switch state {
            case .empty:
                state = .done(result)
                return (true, nil)
            case .waited(let continuation):
                state = .done(result)
                return (true, continuation)
            case .done:
                return (false, nil)
            }
        }
        continuation?.resume(with: result)
        return won
    }

    var isDone: Bool {
        state.withLock { if case .done = $0 { true } else { false } }
    }

    /// A task that is cancelled meanwhile completes the promise with `CancellationError`.
    func value() async throws -> Value {
        try await withTaskCancellationHandler {
            try await valueDespiteCancellation()
        } onCancel: {
            complete(.failure(CancellationError()))
        }
    }

    func valueDespiteCancellation() async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let result = state.withLock { state -> Result<Value, any Error>? in
                if case .done(let result) = state { return result }
                state = .waited(continuation)
                return nil
            }
            if let result { continuation.resume(with: result) }
        }
    }
}
