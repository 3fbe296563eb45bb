public import Domain
public import Store

/// The log's ends, for those who read all that is kept; and its rows.
public enum EventLog {
    /// Before the oldest event that is kept.
    public static func start(in database: Database) async throws -> ResumeToken? {
        guard let row = try await database.query("SELECT incarnation, trimmed FROM events.sequencer").first else {
            return nil
        }
        return ResumeToken(incarnation: try row.id("incarnation"), position: UInt64(try row.int64("trimmed")))
    }

    struct Ends: Sendable {
        let incarnation: BellwireID
        /// Everything up to here is no longer kept.
        let trimmed: UInt64
        /// The last position given.
        let last: UInt64

        /// Why what lies behind the token cannot be told; nil: it can.
        func refusal(of token: ResumeToken) -> EventSubscription.ResetReason? {
            if token.incarnation != incarnation { return .unknownIncarnation }
            if token.position > last { return .future }
            if token.position < trimmed { return .tooOld }
            return nil
        }

        var end: ResumeToken { ResumeToken(incarnation: incarnation, position: last) }
        var start: ResumeToken { ResumeToken(incarnation: incarnation, position: trimmed) }
    }

    static func ends(in database: Database) async throws -> Ends {
        try ends(await database.query("SELECT incarnation, trimmed, position AS last FROM events.sequencer")[0])
    }

    private static func ends(_ row: Row) throws -> Ends {
        Ends(
            incarnation: try row.id("incarnation"), trimmed: UInt64(try row.int64("trimmed")),
            last: UInt64(try row.int64("last")))
    }

    /// Up to `limit` events behind a position, and the log's ends at that same moment.
    static func read(
        after position: UInt64, limit: Int, in database: Database
    ) async throws -> (ends: Ends, events: [LoggedEvent]) {
        let rows = try await database.query(
            """
            SELECT s.incarnation, s.trimmed, s.position AS last, l.*
            FROM events.sequencer s
            LEFT JOIN LATERAL (
                SELECT * FROM events.log WHERE position > \(position) ORDER BY position LIMIT \(limit)
            ) l ON true
            ORDER BY l.position
            """)
        let ends = try ends(rows[0])
        let events = try rows.compactMap { row in
            try row.optionalInt64("position") == nil ? nil : try event(row, ends.incarnation)
        }
        return (ends, events)
    }

    /// The statement for what `call`, one of the functions that move events to the log, has moved.
    static func moved(by call: SQL) -> SQL {
        """
        SELECT (SELECT incarnation FROM events.sequencer), m.position, m.topic, m.key, m.version, m.owner, m.type, m.created,
            CASE WHEN sum(octet_length(m.payload)) OVER () <= \(LiveBatch.payloadBytes) THEN m.payload END AS payload
        FROM \(call) m ORDER BY m.position
        """
    }

    /// That statement's rows; nil when nothing was moved.
    static func batch(_ rows: [Row]) throws -> LiveBatch? {
        guard let first = rows.first, let last = rows.last else { return nil }
        let incarnation = try first.id("incarnation")
        let events = try first.optionalString("payload") == nil ? [] : rows.map { try event($0, incarnation) }
        return LiveBatch(
            first: UInt64(try first.int64("position")), last: UInt64(try last.int64("position")), events: events)
    }

    static func event(_ row: Row, _ incarnation: BellwireID) throws -> LoggedEvent {
        LoggedEvent(
            incarnation: incarnation, position: UInt64(try row.int64("position")), topic: try row.string("topic"),
            key: try row.string("key"), version: try row.int64("version"), owner: try row.string("owner"),
            type: try row.string("type"), payload: try row.bytes("payload"), created: try row.time("created"))
    }
}
