import Observability
import Runtime

/// The pool's thread: connections, who waits for them, and time.
///
/// The first quarter of the connections is shared by single statements, which pile up in their pipelines; the others are
/// lent whole to one transaction at a time. Thereby neither kind starves the other.
final class PoolLoop {
    /// One place for a connection, which outlives connections.
    private struct Seat {
        var connection: Connection?
        /// Tells a connection from its successors; what is meant for a lost one must not reach the next.
        var identifier: UInt64 = 0
        var registered: Int32 = -1
        var isLent = false
        /// COMMIT or ROLLBACK is under way.
        var isFinishing = false
        var retryAt: ContinuousClock.Instant?
        var connectBy: ContinuousClock.Instant?
        var backoff = Backoff(first: .milliseconds(50), limit: .seconds(1))
    }

    private static let pipelineDepth = 64
    private static let slowStatement = Duration.milliseconds(10)
    private static let connectTimeout = Duration.seconds(5)

    private let pool: Pool
    private let configuration: DatabaseConfiguration
    private let connectParameters: [(String, String)]
    private let poller: Poller
    private let logger: Logger
    private var seats: [Seat]
    private let sharedSeats: Range<Int>
    private var jobs: WaitQueue<Job>
    private var borrowers: WaitQueue<Promise<PoolLease>>
    private var starters: WaitQueue<Promise<Void>>
    private var lastFailure: StoreError?
    private var nextIdentifier: UInt64 = 1
    private let statementCount: Counter
    private let refusedCount: Counter
    private let lostCount: Counter
    private let waitingGauge: Gauge
    private let connectionsGauge: Gauge

    init(_ pool: Pool, _ configuration: DatabaseConfiguration, poller: Poller, logger: Logger, counters: Counters) {
        self.pool = pool
        self.configuration = configuration
        connectParameters = configuration.connectParameters
        self.poller = poller
        self.logger = logger
        seats = Array(repeating: Seat(), count: configuration.connections)
        sharedSeats = 0..<max(1, configuration.connections / 4)
        jobs = WaitQueue(limit: configuration.waitLimit, patience: configuration.patience)
        borrowers = WaitQueue(limit: configuration.waitLimit, patience: configuration.patience)
        starters = WaitQueue(limit: .max, patience: configuration.patience)
        statementCount = counters.counter("store_statements_total")
        refusedCount = counters.counter("store_refused_total")
        lostCount = counters.counter("store_connections_lost_total")
        waitingGauge = counters.gauge("store_waiting")
        connectionsGauge = counters.gauge("store_connections")
    }

    func run() {
        while true {
            let events = (try? poller.wait(timeout: nextDeadline.map { $0 - .now })) ?? []
            let now = ContinuousClock.now
            for event in events where event.token > 0 { handle(seat: Int(event.token) - 1, event.ready, now) }
            for command in pool.takeInbox() {
                if case .stop = command { return end() }
                accept(command, now)
            }
            keepTime(now)
            dispatch(now)
            for index in seats.indices { settle(index, now) }
            waitingGauge.set(jobs.count + borrowers.count)
        }
    }

    private func accept(_ command: Pool.Command, _ now: ContinuousClock.Instant) {
        switch command {
        case .run(let job):
            if !jobs.append(job, now: now) { refuse(command) }
        case .lend(let promise):
            if !borrowers.append(promise, now: now) { refuse(command) }
        case .runLent(let job, let identifier):
            guard let index = seats.firstIndex(where: { $0.identifier == identifier && $0.isLent }),
                !seats[index].isFinishing, let connection = seats[index].connection
            else { return Pool.refuse(command, .transactionEnded) }
            statementCount.increment()
            connection.send(job, now: now)
        case .finish(let jobs, let identifier):
            guard let index = seats.firstIndex(where: { $0.identifier == identifier && $0.isLent }),
                !seats[index].isFinishing, let connection = seats[index].connection
            else { return Pool.refuse(command, .connectionLost) }
            seats[index].isFinishing = true
            statementCount.increment(by: jobs.count - 1)
            for job in jobs { connection.send(job, now: now) }
        case .notifyReady(let promise):
            _ = starters.append(promise, now: now)
        case .stop: break
        }
    }

    private func refuse(_ command: Pool.Command) {
        refusedCount.increment()
        Pool.refuse(command, .overloaded)
    }

    // MARK: Connections

    private func handle(seat index: Int, _ ready: Poller.Interest, _ now: ContinuousClock.Instant) {
        guard let connection = seats[index].connection else { return }
        switch connection.phase {
        case .connecting:
            // libpq may have closed this descriptor and opened another under the same number.
            poller.remove(seats[index].registered)
            seats[index].registered = -1
            connection.connectFurther()
            if connection.phase == .ready { becameReady(index) }
        case .ready:
            if ready.contains(.readable) || ready.contains(.hungUp) { connection.receive(now: now) }
        case .failed: break
        }
    }

    private func becameReady(_ index: Int) {
        seats[index].backoff.reset()
        seats[index].connectBy = nil
        if lastFailure != nil { logger.notice("PostgreSQL is reachable") }
        lastFailure = nil
        pool.setReachable(true)
        connectionsGauge.add(1)
        for promise in starters.removeAll() { promise.complete(.success(())) }
    }

    private func connect(_ index: Int, _ now: ContinuousClock.Instant) {
        seats[index].retryAt = nil
        seats[index].identifier = nextIdentifier
        nextIdentifier += 1
        seats[index].connectBy = now + PoolLoop.connectTimeout
        seats[index].connection = Connection(connectParameters)
        if seats[index].connection == nil { lost(index, .unreachable, now, wasReady: false) }
    }

    /// After anything happened to a connection: sends, renews what the poller watches, buries it when it failed.
    private func settle(_ index: Int, _ now: ContinuousClock.Instant) {
        guard let connection = seats[index].connection else { return }
        let wasReady = connection.phase == .ready
        if wasReady { connection.flush() }
        if case .failed(let error) = connection.phase {
            return lost(index, error, now, wasReady: seats[index].connectBy == nil)
        }
        if seats[index].isFinishing, connection.inFlightCount == 0 {
            seats[index].isFinishing = false
            seats[index].isLent = false
            dispatch(now)
            return settle(index, now)
        }
        let descriptor = connection.descriptor
        do {
            if seats[index].registered == descriptor {
                try poller.modify(descriptor, connection.interest, token: UInt64(index) + 1)
            } else {
                try poller.add(descriptor, connection.interest, token: UInt64(index) + 1)
                seats[index].registered = descriptor
            }
        } catch {
            connection.fail(.connectionLost)
            lost(index, .connectionLost, now, wasReady: wasReady)
        }
    }

    private func lost(_ index: Int, _ error: StoreError, _ now: ContinuousClock.Instant, wasReady: Bool) {
        if seats[index].registered >= 0 { poller.remove(seats[index].registered) }
        seats[index].registered = -1
        seats[index].connection = nil
        seats[index].isLent = false
        seats[index].isFinishing = false
        seats[index].connectBy = nil
        seats[index].retryAt = now + seats[index].backoff.next()
        if wasReady {
            lostCount.increment()
            connectionsGauge.add(-1)
        }
        guard !seats.contains(where: { $0.connection?.phase == .ready }) else { return }
        if lastFailure == nil { logger.warning("PostgreSQL cannot be reached", [.error: .error(error)]) }
        lastFailure = error
        pool.setReachable(false)
        // While it only starts up, whoever starts us may wait a little; anything else is told at once.
        if error != .unreachable {
            for promise in starters.removeAll() { promise.complete(.failure(error)) }
        }
    }

    // MARK: Time and work

    private func keepTime(_ now: ContinuousClock.Instant) {
        for index in seats.indices {
            if let connection = seats[index].connection {
                if let limit = seats[index].connectBy, limit <= now { connection.fail(.unreachable) }
                // The server ends long statements itself; one that does not answer even then has gone silent.
                if let since = connection.busySince, since + silenceLimit <= now { connection.fail(.connectionLost) }
            } else if seats[index].retryAt.map({ $0 <= now }) ?? true {
                connect(index, now)
            }
        }
        let isAway = !pool.isReachable
        for job in jobs.expired(now: now) { job.promise.complete(.failure(waitFailure(isAway))) }
        for promise in borrowers.expired(now: now) { promise.complete(.failure(waitFailure(isAway))) }
        // A first attempt that is only slow is waited for; it has a limit of its own.
        if let lastFailure {
            for promise in starters.expired(now: now) { promise.complete(.failure(lastFailure)) }
        }
    }

    private func waitFailure(_ isAway: Bool) -> StoreError {
        refusedCount.increment()
        guard isAway else { return .overloaded }
        return lastFailure ?? .unreachable
    }

    private var silenceLimit: Duration { configuration.statementTimeout + .seconds(5) }

    private var nextDeadline: ContinuousClock.Instant? {
        var times = [jobs.nextDeadline, borrowers.nextDeadline, lastFailure == nil ? nil : starters.nextDeadline]
        for seat in seats {
            times.append(seat.retryAt)
            times.append(seat.connectBy)
            times.append(seat.connection?.busySince.map { $0 + silenceLimit })
        }
        return times.compactMap { $0 }.min()
    }

    private func dispatch(_ now: ContinuousClock.Instant) {
        while jobs.count > 0, let connection = pipeline(now) {
            guard let job = jobs.next() else { break }
            if job.promise.isDone { continue }
            statementCount.increment()
            connection.send(job, now: now)
        }
        while borrowers.count > 0, let index = freeSeat() {
            guard let promise = borrowers.next() else { break }
            // Cancelled meanwhile: the seat stays free.
            seats[index].isLent = promise.complete(
                .success(PoolLease(pool: pool, connection: seats[index].identifier)))
            // It fails only when the connection does, and then so does what comes behind it.
            if seats[index].isLent { seats[index].connection?.send(Job("BEGIN"), now: now) }
        }
    }

    /// Where the next statement goes: the shared connection with the shortest pipeline. One that has been at the same
    /// statement for long is passed over, in favour of a connection that nobody has borrowed if need be.
    private func pipeline(_ now: ContinuousClock.Instant) -> Connection? {
        func usable(_ seats: ArraySlice<Seat>) -> [Connection] {
            seats.compactMap { seat in
                guard !seat.isLent, let connection = seat.connection, connection.phase == .ready,
                    connection.inFlightCount < PoolLoop.pipelineDepth
                else { return nil }
                return connection
            }
        }
        func isFluent(_ connection: Connection) -> Bool {
            connection.busySince.map { now - $0 < PoolLoop.slowStatement } ?? true
        }
        let shared = usable(seats[sharedSeats]).sorted { $0.inFlightCount < $1.inFlightCount }
        let others = usable(seats[sharedSeats.upperBound...])
        // When all are slow, the one that has got on last.
        return shared.first(where: isFluent) ?? others.first(where: isFluent)
            ?? (shared + others).max { ($0.busySince ?? now) < ($1.busySince ?? now) }
    }

    /// One to lend. A server that is short of connections may have given us the shared ones only: one of those then.
    private func freeSeat() -> Int? {
        let lendable = sharedSeats.upperBound..<seats.count
        let isAnyReady = seats[lendable].contains { $0.connection?.phase == .ready }
        return (isAnyReady ? lendable : sharedSeats).first { index in
            guard !seats[index].isLent, let connection = seats[index].connection else { return false }
            return connection.phase == .ready && connection.inFlightCount == 0
        }
    }

    private func end() {
        for index in seats.indices {
            if seats[index].registered >= 0 { poller.remove(seats[index].registered) }
            seats[index].connection?.fail(.stopped)
            seats[index].connection = nil
        }
        for job in jobs.removeAll() { job.promise.complete(.failure(StoreError.stopped)) }
        for promise in borrowers.removeAll() { promise.complete(.failure(StoreError.stopped)) }
        for promise in starters.removeAll() { promise.complete(.failure(StoreError.stopped)) }
        for command in pool.takeInbox() { Pool.refuse(command) }
        connectionsGauge.set(0)
        pool.setReachable(false)
    }
}
