public import Domain

/// Events in the order of their positions, nothing left out. Pulled: a slow reader costs no memory, it reads the log.
/// One iterator at a time.
public struct EventSubscription: AsyncSequence, Sendable {
    public enum ResetReason: String, Sendable {
        /// Events behind the token are no longer kept.
        case tooOld
        /// The token is of another log.
        case unknownIncarnation
        /// The token is of a position that this log has not reached.
        case future
    }

    public enum Element: Sendable, Equatable {
        /// Comes first, once: what follows is behind this token.
        case subscribed(ResumeToken)
        case event(LoggedEvent)
        /// What lay behind the token cannot be told: list the state anew, it goes on behind this token.
        case reset(ResumeToken, ResetReason)
    }

    public typealias Failure = any Error

    public struct AsyncIterator: AsyncIteratorProtocol {
        /// Waits for the next element; while PostgreSQL is away too. Throws `CancellationError`; nil when the bus stops.
        public mutating func next() async throws -> Element? { fatalError("to come") }
    }

    public func makeAsyncIterator() -> AsyncIterator { fatalError("to come") }
}
