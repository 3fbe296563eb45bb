import Bus
import Domain
import Observability
import Store
import TestSupport
import Testing

@Suite struct RetentionTests {
    /// A log with events of these ages, in hours, one position after the other.
    private func makeLog(ages: [Int]) async throws -> String {
        let url = try await TestPostgres.shared.makeDatabase()
        try await EventLogTests.prepare(url, keys: 20)
        try await asOwner(url) { database in
            try await database.execute(
                """
                INSERT INTO events.log
                SELECT n, 'calls', 'k' || n % 20, n, '', 't', '', now() - age * interval '1 hour'
                FROM unnest(\(ages)::int[]) WITH ORDINALITY AS event(age, n)
                """)
            try await database.execute("UPDATE events.sequencer SET position = \(ages.count)")
        }
        return url
    }

    private func positions(_ database: Database) async throws -> [Int] {
        try await database.query("SELECT position FROM events.log ORDER BY position").map { try $0.int("position") }
    }

    @Test(
        "Old events are taken away, but none that a consumer group has not seen; that it waits is warned of and counted"
    )
    func waits() async throws {
        let url = try await makeLog(ages: Array(repeating: 2, count: 20))
        try await asOwner(url) { database in
            try await database.execute(
                """
                INSERT INTO events.cursor
                SELECT g, p, incarnation, CASE WHEN g = 'slow' AND p = 1 THEN 15 ELSE 20 END
                FROM events.sequencer, unnest(ARRAY['slow', 'quick']) g, generate_series(0, 1) p
                """)
        }
        let sink = MemorySink()
        let one = try await Instance.make(
            "calls-1", url: url, trimPeriod: .milliseconds(20),
            logger: Logger(service: "calls", instance: "calls-1", level: .warning, sink: sink))
        func gauge(_ group: String) -> Int { one.counters.gauge("events_overdue", ["group": group]).value }
        try await eventually("waited for") { gauge("slow") == 5 }
        #expect(try await EventLog.start(in: one.database)?.position == 15)
        #expect(try await positions(one.database) == Array(16...20))
        #expect(one.counters.counter("events_retention_waits_total", ["group": "slow"]).value > 0)
        #expect(one.counters.counter("events_retention_waits_total", ["group": "quick"]).value == 0)
        let warning = try #require(sink.lines.first { $0.contains("older than the retention") })
        #expect(warning.contains(#""group":"slow""#) && warning.contains(#""count":5"#))

        try await one.database.execute("UPDATE events.cursor SET position = 20")
        try await eventually("caught up") { try await EventLog.start(in: one.database)?.position == 20 }
        try await eventually("no longer counted as waited for") { gauge("slow") == 0 }
        #expect(try await positions(one.database) == [])
        await one.stop()
    }

    @Test("Events are taken away from the beginning only, also where an older one stands behind a younger one")
    func fromTheBeginning() async throws {
        let url = try await makeLog(ages: [3, 3, 3, 0, 3, 0])
        let one = try await Instance.make("calls-1", url: url)
        try await eventually("trimmed") { try await EventLog.start(in: one.database)?.position == 3 }
        #expect(try await positions(one.database) == [4, 5, 6])
        await one.stop()
    }

    @Test("A group whose cursor is of another log, as after a restore, is waited for whole")
    func otherLog() async throws {
        let url = try await makeLog(ages: Array(repeating: 2, count: 10))
        try await asOwner(url) { database in
            try await database.execute("INSERT INTO events.cursor VALUES ('restored', 0, gen_random_uuid(), 10)")
        }
        let one = try await Instance.make("calls-1", url: url)
        try await eventually("waited for") {
            one.counters.gauge("events_overdue", ["group": "restored"]).value == 10
        }
        #expect(try await positions(one.database) == Array(1...10))
        await one.stop()
    }

    @Test("A partition that has nothing to do notes that it has seen the rest: the log is not kept for it")
    func idlePartitions() async throws {
        let url = try await makeLog(ages: Array(repeating: 2, count: 50))
        let one = try await Instance.make(
            "calls-1", url: url, trimPeriod: .milliseconds(20), cursorPeriod: .milliseconds(10))
        let group = one.bus.consume(group: "test", topics: ["calls"], partitions: 4) { _, _ in }
        let other = one.bus.consume(group: "other", topics: ["elsewhere"], partitions: 2) { _, _ in }
        try await group.start()
        try await other.start()
        try await eventually("every cursor at the end") {
            let rows = try await one.database.query(
                "SELECT count(*) AS n FROM events.cursor WHERE position = 50")
            return try rows[0].int("n") == 6
        }
        try await eventually("trimmed") { try await positions(one.database) == [] }
        await group.stop()
        await other.stop()
        await one.stop()
    }
}
