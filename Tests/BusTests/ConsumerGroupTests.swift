import Bus
import Domain
import Observability
import Store
import Synchronization
import TestSupport
import Testing

@Suite struct ConsumerGroupTests {
    struct Refused: Error {}

    private func prepare(_ url: String) async throws {
        try await EventLogTests.prepare(url, keys: 20)
        _ = try await asOwner(url) { database in
            try await database.execute(
                "CREATE TABLE calls.done (number bigserial, position bigint, key text, version bigint, who text)")
        }
    }

    private func consumer(_ instance: Instance, _ who: String, partitions: Int = 8, failures: Bool) -> ConsumerGroup {
        let attempts = Atomic<Int>(0)
        return instance.bus.consume(group: "test", topics: ["calls"], partitions: partitions) { event, transaction in
            try await transaction.execute(
                """
                INSERT INTO calls.done (position, key, version, who)
                VALUES (\(event.position), \(event.key), \(event.version), \(who))
                """)
            let attempt = attempts.wrappingAdd(1, ordering: .relaxed).newValue
            if failures, attempt.isMultiple(of: 23) { throw Refused() }
        }
    }

    @Test("Each event is worked off once, in order per key, though handlers fail and an instance dies in the middle")
    func exactlyOnce() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        try await prepare(url)
        let first = try await Instance.make("calls-1", url: url)
        let second = try await Instance.make("calls-2", url: url)
        let writer = try await Instance.make("calls-3", url: url)
        let mine = consumer(first, "first", failures: true)
        let theirs = consumer(second, "second", failures: true)
        try await mine.start()
        try await theirs.start()
        let total = 600
        for turn in 0..<total {
            try await EventLogTests.change("k\(turn % 20)", in: writer.database)
            if turn == 300 {
                try await eventually("both have worked") {
                    try await writer.database.query("SELECT DISTINCT who FROM calls.done").count == 2
                }
                await first.crash()
            }
        }
        try await eventually(within: .seconds(40), "all done") {
            try await writer.database.query("SELECT count(*) AS n FROM calls.done")[0].int("n") >= total
        }
        let rows = try await writer.database.query("SELECT key, version, position FROM calls.done ORDER BY number")
        #expect(rows.count == total)
        #expect(Set(try rows.map { try $0.int("position") }).count == total)
        var versions: [String: Int] = [:]
        for row in rows {
            let key = try row.string("key")
            #expect(try row.int("version") == versions[key, default: 0] + 1)
            versions[key] = try row.int("version")
        }
        #expect(second.counters.counter("events_consumer_failures_total", ["group": "test"]).value > 0)
        await mine.stop()
        await theirs.stop()
        await second.stop()
        await writer.stop()
    }

    @Test("An event that cannot be handled holds up its partition alone, and goes through once it can")
    func poison() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        try await prepare(url)
        let one = try await Instance.make("calls-1", url: url)
        let heals = Atomic<Bool>(false)
        let handled = Mutex<[String]>([])
        let group = one.bus.consume(group: "test", topics: ["calls"]) { event, transaction in
            if event.key == "k0", event.version == 1, !heals.load(ordering: .relaxed) { throw Refused() }
            transaction.afterCommit { handled.withLock { $0.append("\(event.key)/\(event.version)") } }
        }
        try await group.start()
        let stuck = ConsumerGroup.partition(of: "k0", count: 8)
        let free = try #require(
            (1..<20).map { "k\($0)" }.first { ConsumerGroup.partition(of: $0, count: 8) != stuck })
        try await EventLogTests.change("k0", in: one.database)
        try await EventLogTests.change("k0", in: one.database)
        try await EventLogTests.change(free, in: one.database)
        try await eventually("others go on") { handled.withLock { $0 } == ["\(free)/1"] }
        try await eventually("counted") {
            one.counters.counter("events_consumer_failures_total", ["group": "test"]).value > 1
        }
        heals.store(true, ordering: .relaxed)
        try await eventually("healed, in order") { handled.withLock { $0 } == ["\(free)/1", "k0/1", "k0/2"] }
        await group.stop()
        await one.stop()
    }

    @Test("A group that was away goes on where it was; a new group begins with the oldest event")
    func cursors() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        try await prepare(url)
        let one = try await Instance.make("calls-1", url: url)
        for turn in 0..<20 { try await EventLogTests.change("k\(turn)", in: one.database) }
        func doneCount() async throws -> Int {
            try await one.database.query("SELECT count(*) AS n FROM calls.done")[0].int("n")
        }
        let before = consumer(one, "before", partitions: 2, failures: false)
        try await before.start()
        try await eventually("the old ones") { try await doneCount() == 20 }
        await before.stop()
        for turn in 0..<20 { try await EventLogTests.change("k\(turn)", in: one.database) }
        let after = consumer(one, "after", partitions: 2, failures: false)
        try await after.start()
        try await eventually("the new ones") { try await doneCount() == 40 }
        let who = try await one.database.query("SELECT who, count(*) AS n FROM calls.done GROUP BY who ORDER BY who")
        #expect(try who.map { try $0.int("n") } == [20, 20])
        await after.stop()
        await one.stop()
    }

    @Test("Keys stay in their partitions for ever")
    func partitions() {
        #expect(ConsumerGroup.partition(of: "", count: 8) == 5)
        #expect(ConsumerGroup.partition(of: "a", count: 8) == 4)
        let keys = (0..<8000).map { "018f-\($0)" }
        let sizes = Dictionary(grouping: keys) { ConsumerGroup.partition(of: $0, count: 8) }.mapValues(\.count)
        #expect(sizes.count == 8 && sizes.values.allSatisfy { (700...1300).contains($0) })
    }
}
