public import Domain
import Store

/// Events in the order of their positions, nothing left out. Pulled: a slow reader costs no memory, it reads the log.
/// Any number of iterators, each on its own.
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

    let database: Database
    let tail: EventTail
    let token: ResumeToken?
    let topics: Set<String>

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(database: database, tail: tail, topics: topics, start: token)
    }

    public struct AsyncIterator: AsyncIteratorProtocol {
        enum Step {
            case element(Element)
            /// Only events of other topics were passed.
            case passed(ResumeToken)
        }

        /// Counts as a user of the tail as long as it lives.
        private final class Use: Sendable {
            private let tail: EventTail
            init(_ tail: EventTail) {
                self.tail = tail
                tail.use()
            }
            deinit { tail.leave() }
        }

        private static let batch = 128

        private let database: Database
        private let tail: EventTail
        private let topics: Set<String>
        private let use: Use
        private let start: ResumeToken?
        private var token: ResumeToken?
        private var buffer: [LoggedEvent] = []
        private var next = 0
        private var backoff = Backoff(first: .milliseconds(50), limit: .seconds(1))

        init(database: Database, tail: EventTail, topics: Set<String>, start: ResumeToken?) {
            self.database = database
            self.tail = tail
            self.topics = topics
            self.start = start
            use = Use(tail)
        }

        /// Waits for the next element; while PostgreSQL is away too. Throws `CancellationError`; nil when the bus stops.
        public mutating func next() async throws -> Element? {
            while let step = try await nextStep() {
                if case .element(let element) = step { return element }
            }
            return nil
        }

        mutating func nextStep() async throws -> Step? {
            while !tail.isStopped {
                try Task.checkCancellation()
                do {
                    if let step = try await advance() {
                        backoff.reset()
                        return step
                    }
                } catch let error as StoreError where error != .stopped {
                    try await Task.sleep(for: backoff.next())
                } catch StoreError.stopped {
                    return nil
                }
            }
            return nil
        }

        /// One step, or nil after a wait.
        private mutating func advance() async throws -> Step? {
            guard let token else { return .element(try await begin(start, isFirst: true)) }
            if next < buffer.count {
                let event = buffer[next]
                next += 1
                return .element(.event(event))
            }
            switch tail.events(after: token, limit: AsyncIterator.batch) {
            case .events(let events):
                return take(events)
            case .upToDate:
                await tail.wait(beyond: token)
                return nil
            case .otherLog:
                return .element(try await begin(token, isFirst: false))
            case .readLog:
                let (ends, events) = try await EventLog.read(after: token.position, limit: 256, in: database)
                if ends.refusal(of: token) != nil {
                    return .element(try await begin(token, isFirst: false))
                }
                if events.isEmpty {
                    // At the end, before the tail has begun.
                    tail.nudge()
                    try await Task.sleep(for: .milliseconds(5))
                    return nil
                }
                return take(events)
            }
        }

        private mutating func take(_ events: [LoggedEvent]) -> Step? {
            buffer = topics.isEmpty ? events : events.filter { topics.contains($0.topic) }
            next = 0
            if let last = events.last { token = last.token }
            guard buffer.isEmpty, let token else { return nil }
            return .passed(token)
        }

        private mutating func begin(_ start: ResumeToken?, isFirst: Bool) async throws -> Element {
            let ends = try await EventLog.ends(in: database)
            buffer = []
            next = 0
            guard let start else {
                token = ends.end
                return .subscribed(ends.end)
            }
            if let reason = ends.refusal(of: start) {
                token = ends.end
                return .reset(ends.end, reason)
            }
            token = start
            return .subscribed(start)
        }
    }
}
