import Domain
import Observability
import Store
import Synchronization

/// The end of the log, as this process has read it: a bounded window that all of its subscriptions share. Whoever falls
/// out of it reads the log.
final class EventTail: Sendable {
    enum Answer: Sendable {
        /// All that lie behind the position, in a row.
        case events([LoggedEvent])
        case upToDate
        /// What comes next has left the window, or the tail is not there yet.
        case readLog
        /// The log that the position belongs to is gone.
        case otherLog
    }

    private struct State {
        var incarnation: BellwireID?
        /// The last position read.
        var last: UInt64 = 0
        var window: [LoggedEvent] = []
        var windowBytes = 0
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter: UInt64 = 0
        var users = 0
        var isStopped = false
        /// Taken from the live path: the last position that is known to exist.
        var announced: UInt64 = 0
    }

    private static let windowEvents = 2048
    private static let windowBytes = 8 << 20
    private static let batch = 500

    private let database: Database
    private let logger: Logger
    private let pollPeriod: Duration
    private let wake = WakeSignal()
    private let state = Mutex(State())

    init(database: Database, logger: Logger, pollPeriod: Duration) {
        self.database = database
        self.logger = logger
        self.pollPeriod = pollPeriod
    }

    /// The live path says that the log reaches to `last`.
    func announce(last: UInt64) {
        let isNews = state.withLock { state in
            guard last > state.last, state.users > 0 else { return false }
            state.announced = max(state.announced, last)
            return true
        }
        if isNews { wake.signal() }
    }

    func nudge() { wake.signal() }

    func use() {
        state.withLock { $0.users += 1 }
        wake.signal()
    }

    func leave() { state.withLock { $0.users -= 1 } }

    func stop() {
        let waiters = state.withLock { state in
            state.isStopped = true
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
        wake.signal()
    }

    var held: (events: Int, payloadBytes: Int) { state.withLock { ($0.window.count, $0.windowBytes) } }

    var isStopped: Bool { state.withLock { $0.isStopped } }

    /// Follows the log while anybody uses it, until cancelled.
    func run() async {
        var backoff = Backoff(first: .milliseconds(100), limit: .seconds(2))
        while !Task.isCancelled {
            guard state.withLock({ $0.users > 0 }) else {
                // Nobody is there: what was read grows old, so the next user begins anew.
                reset()
                await wake.wait(upTo: .seconds(60))
                continue
            }
            do {
                let isBehind = try await readOn()
                backoff.reset()
                if !isBehind { await wake.wait(upTo: pollPeriod) }
            } catch {
                if Task.isCancelled { break }
                await wake.wait(upTo: backoff.next())
            }
        }
    }

    private func reset() {
        state.withLock { state in
            state.incarnation = nil
            state.window = []
            state.windowBytes = 0
        }
    }

    /// True when there may be more at once.
    private func readOn() async throws -> Bool {
        let (incarnation, last) = state.withLock { ($0.incarnation, $0.last) }
        guard let incarnation else {
            begin(try await EventLog.ends(in: database))
            return false
        }
        let (ends, events) = try await EventLog.read(after: last, limit: EventTail.batch, in: database)
        let isDense = events.first.map { $0.position == last + 1 } ?? (ends.last == last)
        guard ends.incarnation == incarnation, isDense else {
            logger.warning("the event log was made anew or cut off behind us", [.position: .int(Int(last))])
            begin(ends)
            return false
        }
        if !events.isEmpty { append(events) }
        return events.count == EventTail.batch || state.withLock { $0.announced > $0.last }
    }

    private func begin(_ ends: EventLog.Ends) {
        let waiters = state.withLock { state in
            state.incarnation = ends.incarnation
            state.last = ends.last
            state.window = []
            state.windowBytes = 0
            state.announced = 0
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    private func append(_ events: [LoggedEvent]) {
        let waiters = state.withLock { state in
            state.window += events
            state.windowBytes += events.reduce(0) { $0 + $1.payload.count }
            state.last = events[events.count - 1].position
            var drop = max(0, state.window.count - EventTail.windowEvents)
            for event in state.window.prefix(drop) { state.windowBytes -= event.payload.count }
            while state.windowBytes > EventTail.windowBytes, drop < state.window.count {
                state.windowBytes -= state.window[drop].payload.count
                drop += 1
            }
            state.window.removeFirst(drop)
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter.resume() }
    }

    func events(after token: ResumeToken, limit: Int) -> Answer {
        state.withLock { state in
            guard let incarnation = state.incarnation else { return .readLog }
            guard incarnation == token.incarnation else { return .otherLog }
            guard token.position < state.last else { return .upToDate }
            guard let first = state.window.first?.position, token.position + 1 >= first else { return .readLog }
            let start = Int(token.position + 1 - first)
            return .events(Array(state.window[start..<min(start + limit, state.window.count)]))
        }
    }

    /// Returns when the log may reach beyond the token, or became another one; also when the task is cancelled.
    func wait(beyond token: ResumeToken) async {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard !Task.isCancelled, !state.isStopped, state.incarnation == token.incarnation,
                        state.last <= token.position
                    else { return false }
                    state.waiters[number] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
    }
}
