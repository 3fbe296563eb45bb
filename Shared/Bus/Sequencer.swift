import Observability
import Runtime
import Store
import Synchronization

/// A candidate for the one that moves events from the outbox to the log. It works while it holds the lease of the only
/// slot of its group; the epoch in each move makes sure that no second one does.
final class Sequencer: SlotHandler {
    static let group = "sequencer"
    private static let batch = 500

    private let database: Database
    private let membership: Membership
    private let retention: LogRetention
    private let trimPeriod: Duration
    private let pollPeriod: Duration
    private let logger: Logger
    private let wake = WakeSignal()
    private let published: @Sendable (_ first: UInt64, _ last: UInt64) -> Void
    private let movedCount: Counter
    private let failedCount: Counter
    private let holds = Mutex(false)

    init(
        database: Database, membership: Membership, retention: Duration, trimPeriod: Duration, pollPeriod: Duration,
        logger: Logger, counters: Counters, published: @escaping @Sendable (_ first: UInt64, _ last: UInt64) -> Void
    ) {
        self.database = database
        self.membership = membership
        self.retention = LogRetention(database: database, age: retention, logger: logger, counters: counters)
        self.trimPeriod = trimPeriod
        self.pollPeriod = pollPeriod
        self.logger = logger
        self.published = published
        movedCount = counters.counter("events_sequenced_total")
        failedCount = counters.counter("events_sequencer_failures_total")
    }

    var isHolder: Bool { holds.withLock { $0 } }

    /// Somebody has committed an event.
    func hint() { if isHolder { wake.signal() } }

    func acquired(_ lease: SlotLease) async {
        holds.withLock { $0 = true }
        logger.notice("sequencing events", [.epoch: .int(Int(lease.epoch))])
        wake.signal()
    }

    func lost(_ lease: SlotLease) async { holds.withLock { $0 = false } }

    func run() async {
        var trimAt = ContinuousClock.now
        var backoff = Backoff(first: .milliseconds(50), limit: .seconds(1))
        while !Task.isCancelled {
            guard let lease = membership.lease(group: Sequencer.group, slot: 0) else {
                await wake.wait(upTo: .milliseconds(500))
                continue
            }
            do {
                let moved = try await advance(lease)
                backoff.reset()
                if ContinuousClock.now >= trimAt {
                    try await retention.apply(lease)
                    trimAt = .now + trimPeriod
                }
                if moved < Sequencer.batch { await wake.wait(upTo: pollPeriod) }
            } catch StoreError.staleEpoch {
                await membership.refresh()
            } catch StoreError.stopped {
                break
            } catch {
                if Task.isCancelled { break }
                failedCount.increment()
                if (error as? StoreError)?.isTransient != true {
                    logger.error("events cannot be sequenced", [.error: .error(error)])
                }
                await wake.wait(upTo: backoff.next())
            }
        }
    }

    private func advance(_ lease: SlotLease) async throws -> Int {
        let rows = try await database.query(
            """
            SELECT count(*) AS moved, min(position) AS first, max(position) AS last
            FROM events.advance(\(lease.epoch), \(Sequencer.batch))
            """)
        let moved = try rows[0].int("moved")
        guard moved > 0, let first = try rows[0].optionalInt64("first"), let last = try rows[0].optionalInt64("last")
        else { return 0 }
        movedCount.increment(by: moved)
        published(UInt64(first), UInt64(last))
        return moved
    }
}
