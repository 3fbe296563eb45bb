import Observability
import Runtime
import Store
import Synchronization

/// Takes events away that are older than the retention and that every consumer group has seen. What one has not seen is
/// kept for it, however old, because nothing may be lost; that is warned of and counted, for the log grows meanwhile.
final class LogRetention: Sendable {
    private static let batch = 10_000

    private let database: Database
    private let age: Duration
    private let logger: Logger
    private let counters: Counters
    /// The groups that were last seen to lag.
    private let lagging = Mutex<Set<String>>([])

    init(database: Database, age: Duration, logger: Logger, counters: Counters) {
        self.database = database
        self.age = age
        self.logger = logger
        self.counters = counters
    }

    private var isOld: SQL { "created < clock_timestamp() - \(age.milliseconds) * interval '1 millisecond'" }

    /// How far each group has come everywhere. A cursor of another log, after a restore, has yet to begin with this one.
    private static let groups: SQL =
        """
        SELECT c."group", min(CASE WHEN c.incarnation = s.incarnation THEN c.position ELSE s.trimmed END) AS position
        FROM events.cursor c, events.sequencer s GROUP BY c."group"
        """

    /// To be called now and then by the holder of the sequencer's lease.
    func apply(_ lease: SlotLease) async throws {
        while try await trim(lease) == LogRetention.batch {}
        try await report()
    }

    /// Only ever from the beginning, so that what is left has no gaps.
    private func trim(_ lease: SlotLease) async throws -> Int {
        try await database.transaction { transaction in
            try await transaction.fence(lease)
            let removed = try await transaction.query(
                """
                WITH seen AS (
                    SELECT least(
                        (SELECT min(position) FROM (\(LogRetention.groups)) g),
                        (SELECT min(position) - 1 FROM events.log WHERE NOT \(isOld))) AS position
                ), old AS (
                    DELETE FROM events.log WHERE position IN (
                        SELECT l.position FROM events.log l, seen
                        WHERE seen.position IS NULL OR l.position <= seen.position
                        ORDER BY l.position LIMIT \(LogRetention.batch))
                    RETURNING position
                )
                SELECT count(*) AS removed, max(position) AS last FROM old
                """)[0]
            let count = try removed.int("removed")
            guard count > 0 else { return 0 }
            try await transaction.execute(
                "UPDATE events.sequencer SET trimmed = greatest(trimmed, \(removed.int64("last")))")
            return count
        }
    }

    /// Says for whom events are kept beyond their time.
    private func report() async throws {
        let rows = try await database.query(
            """
            SELECT g."group", g.position, (
                SELECT count(*) FROM events.log WHERE position > g.position AND \(isOld)) AS overdue
            FROM (\(LogRetention.groups)) g
            """)
        var lagging: Set<String> = []
        for row in rows where try row.int("overdue") > 0 {
            let (group, position) = (try row.string("group"), try row.int("position"))
            let overdue = try row.int("overdue")
            lagging.insert(group)
            counters.counter("events_retention_waits_total", ["group": group]).increment()
            counters.gauge("events_overdue", ["group": group]).set(overdue)
            logger.warning(
                "events older than the retention are kept for a consumer group that has not seen them",
                [.group: .trusted(group), .count: .int(overdue), .position: .int(position)])
        }
        let caughtUp = self.lagging.withLock { before in
            defer { before = lagging }
            return before.subtracting(lagging)
        }
        for group in caughtUp { counters.gauge("events_overdue", ["group": group]).set(0) }
    }
}
