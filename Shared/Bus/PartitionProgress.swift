import Domain
import Synchronization

/// How far a partition's worker has come, and how much of that its cursor knows.
final class PartitionProgress: Sendable {
    private struct State {
        var passed: ResumeToken?
        var saved: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The worker begins behind `token`, where the cursor stands.
    func begin(_ token: ResumeToken) {
        state.withLock { $0 = State(passed: token, saved: token.position) }
    }

    /// Nothing up to `token` is left to do.
    func pass(_ token: ResumeToken, isSaved: Bool = false) {
        state.withLock { state in
            state.passed = token
            if isSaved { state.saved = token.position }
        }
    }

    /// What the cursor should know and does not, where that is more than `limit` events.
    func unsaved(beyond limit: UInt64) -> ResumeToken? {
        state.withLock { state in
            guard let passed = state.passed, passed.position > state.saved, passed.position - state.saved > limit
            else { return nil }
            return passed
        }
    }

    func saved(_ token: ResumeToken) {
        state.withLock { state in
            guard state.passed?.incarnation == token.incarnation else { return }
            state.saved = max(state.saved, token.position)
        }
    }
}
