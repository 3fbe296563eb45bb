import Observability
import Runtime
import Store
import Synchronization

/// A candidate for the one that moves events from the outbox to the log. It works while it holds the lease of the only
/// slot of its group; the epoch in each move makes sure that no second one does. A transaction that commits alone has moved
/// its events itself (`atCommit`): what is left for the sequencer is what comes at the same time, or was left behind.
final class Sequencer: SlotHandler {
    static let group = "sequencer"
    private static let batch = 500
    private static let atCommitBatch = 16

    /// For transactions that publish; its rows go to `committed`.
    static let atCommit = EventLog.moved(by: "events.advance_at_commit(\(atCommitBatch))")

    private let database: Database
    private let membership: Membership
    private let retention: LogRetention
    private let trimPeriod: Duration
    private let pollPeriod: Duration
    private let logger: Logger
    private let wake = WakeSignal()
    private let published: @Sendable (LiveBatch) -> Void
    private let movedCount: Counter
    private let failedCount: Counter
    private let holds = Mutex(false)

    init(
        database: Database, membership: Membership, retention: Duration, trimPeriod: Duration, pollPeriod: Duration,
        logger: Logger, counters: Counters, published: @escaping @Sendable (LiveBatch) -> Void
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

    /// A transaction of ours has committed, and moved the events of `rows`. True: there may be more, for the sequencer.
    func committed(_ rows: [Row]) -> Bool {
        guard let batch = try? EventLog.batch(rows) else { return true }
        movedCount.increment(by: rows.count)
        published(batch)
        return rows.count == Sequencer.atCommitBatch
    }

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
        let rows = try await database.query(EventLog.moved(by: "events.advance(\(lease.epoch), \(Sequencer.batch))"))
        guard let batch = try EventLog.batch(rows) else { return 0 }
        movedCount.increment(by: rows.count)
        published(batch)
        return rows.count
    }
}
