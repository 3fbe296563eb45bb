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

    private typealias Waiters = [UInt64: CheckedContinuation<Void, Never>]

    private struct State {
        var incarnation: BellwireID?
        /// The last position read.
        var last: UInt64 = 0
        var window: [LoggedEvent] = []
        var windowBytes = 0
        var waiters: Waiters = [:]
        var nextWaiter: UInt64 = 0
        var users = 0
        var isStopped = false
        /// Taken from the live path: the last position that is known to exist.
        var announced: UInt64 = 0

        /// Takes what is new of the events; the first of them is at most the next one. Returns who waited for it.
        mutating func append(_ events: [LoggedEvent]) -> Waiters {
            let known = last
            for event in events where event.position > known {
                window.append(event)
                windowBytes += event.payload.count
                last = event.position
            }
            guard last > known else { return [:] }
            var drop = max(0, window.count - EventTail.windowEvents)
            for event in window.prefix(drop) { windowBytes -= event.payload.count }
            while windowBytes > EventTail.windowBytes, drop < window.count {
                windowBytes -= window[drop].payload.count
                drop += 1
            }
            window.removeFirst(drop)
            defer { waiters = [:] }
            return waiters
        }
    }

    private static let windowEvents = 2048
    private static let windowBytes = 8 << 20
    private static let batch = 500

    private let database: Database
    private let logger: Logger
    private let pollPeriod: Duration
    private let wake = WakeSignal()
    private let state = Mutex(State())
    private let liveCount: Counter
    private let readCount: Counter

    init(database: Database, logger: Logger, pollPeriod: Duration, counters: Counters) {
        liveCount = counters.counter("events_followed_total", ["way": "live"])
        readCount = counters.counter("events_followed_total", ["way": "log"])
        self.database = database
        self.logger = logger
        self.pollPeriod = pollPeriod
    }

    /// A batch has come into the log. Its events are taken as they are where none is missing before them; else the log is
    /// read.
    func take(_ batch: LiveBatch) {
        let (waiters, mustRead) = state.withLock { state in
            guard batch.last > state.last, state.users > 0 else { return (Waiters(), false) }
            guard let incarnation = batch.events.first?.incarnation, incarnation == state.incarnation,
                batch.first <= state.last + 1
            else {
                state.announced = max(state.announced, batch.last)
                return (Waiters(), true)
            }
            liveCount.increment(by: Int(batch.last - state.last))
            return (state.append(batch.events), false)
        }
        for waiter in waiters.values { waiter.resume() }
        if mustRead { wake.signal() }
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
        let waiters = state.withLock { state in
            if let end = events.last?.position, end > state.last { readCount.increment(by: Int(end - state.last)) }
            return state.append(events)
        }
        for waiter in waiters.values { waiter.resume() }
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
