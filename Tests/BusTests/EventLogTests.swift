import Bus
import Domain
import Observability
import Store
import Synchronization
import TestSupport
import Testing

@Suite struct EventLogTests {
    /// Publishes as services do: the version is taken from the key's row, under its lock.
    static func change(_ key: String, in database: Database, topic: String = "calls") async throws {
        try await database.transaction { transaction in
            let version = try await transaction.query(
                "UPDATE calls.thing SET version = version + 1 WHERE key = \(key) RETURNING version")[0].int64("version")
            try await transaction.publish(draft(key, version, topic: topic))
        }
    }

    static func prepare(_ url: String, keys: Int) async throws {
        try await asOwner(url) { database in
            try await database.execute("CREATE TABLE calls.thing (key text PRIMARY KEY, version bigint NOT NULL)")
            try await database.execute(
                "INSERT INTO calls.thing SELECT 'k' || n, 0 FROM generate_series(0, \(keys - 1)::int) n")
        }
    }

    @Test(
        "Eight writers, a foreign open transaction, a sequencer that dies: dense, in order per key, nothing lost, none twice",
        arguments: [true, false])
    func order(livePath: Bool) async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        try await EventLogTests.prepare(url, keys: 5)
        let directory = try TemporaryDirectory()
        let path = livePath ? directory.path : nil
        let first = try await Instance.make("calls-1", url: url, directory: path)
        let second = try await Instance.make("calls-2", url: url, directory: path)
        try await eventually("one sequences") { first.bus.isSequencer != second.bus.isSequencer }
        let (dying, living) = first.bus.isSequencer ? (first, second) : (second, first)
        let total = 8 * 150
        let reader = Task {
            var seen: [LoggedEvent] = []
            for try await element in living.bus.subscribe(
                after: try await EventLog.start(in: living.database), topics: ["calls"])
            {
                if case .event(let event) = element { seen.append(event) }
                if seen.count == total { break }
            }
            return seen
        }
        try await asOwner(url) { foreign in
            try await foreign.transaction { transaction in
                _ = try await transaction.query("SELECT pg_current_xact_id()")
                // Open for as long as the writers take, on a slow machine too.
                try await transaction.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<8 {
                        group.addTask {
                            for turn in 0..<150 {
                                try await EventLogTests.change("k\((writer + turn) % 5)", in: living.database)
                                if writer == 0, turn == 70 { await dying.crash() }
                                if writer == 1, turn % 10 == 0 { _ = try await transaction.query("SELECT 1") }
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
        let seen = try await reader.value
        #expect(seen.map(\.position) == (1...UInt64(total)).map { $0 })
        var versions: [String: Int64] = [:]
        for event in seen {
            #expect(event.version == versions[event.key, default: 0] + 1)
            versions[event.key] = event.version
        }
        // Events that moved with their commits did not wait for it.
        try await eventually("the other one sequences") { living.bus.isSequencer }
        await living.stop()
    }

    @Test("A change is in the log as soon as it is committed; where that would have to wait, it is the sequencer's")
    func atCommit() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        try await EventLogTests.prepare(url, keys: 1)
        let one = try await Instance.make("calls-1", url: url)
        func places() async throws -> [Int64] {
            let rows = try await one.database.query(
                "SELECT (SELECT position FROM events.sequencer) AS log, (SELECT count(*) FROM events.outbox) AS outbox")
            return [try rows[0].int64("log"), try rows[0].int64("outbox")]
        }
        try await EventLogTests.change("k0", in: one.database)
        #expect(try await places() == [1, 0])
        try await asOwner(url) { foreign in
            try await foreign.transaction { transaction in
                _ = try await transaction.query("SELECT position FROM events.sequencer FOR UPDATE")
                try await EventLogTests.change("k0", in: one.database)
                #expect(try await places() == [1, 1])
            }
        }
        try await eventually("sequenced") { try await places() == [2, 0] }
        await one.stop()
    }

    @Test("A token resumes where it was taken; one too old, of another log, or from the future is reset, never silent")
    func resume() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        try await EventLogTests.prepare(url, keys: 2)
        let one = try await Instance.make("calls-1", url: url)
        for turn in 0..<10 { try await EventLogTests.change("k\(turn % 2)", in: one.database) }
        let start = try #require(try await EventLog.start(in: one.database))
        var iterator = one.bus.subscribe(after: start).makeAsyncIterator()
        let opening = try await iterator.next()
        #expect(opening == .subscribed(start))
        var events: [LoggedEvent] = []
        while events.count < 10 {
            if case .event(let event) = try await iterator.next() { events.append(event) }
        }
        #expect(events.map(\.position) == Array(1...10))

        func firstElements(_ token: ResumeToken) async throws -> [EventSubscription.Element] {
            var iterator = one.bus.subscribe(after: token).makeAsyncIterator()
            var result: [EventSubscription.Element] = []
            if let element = try await iterator.next() { result.append(element) }
            if token.position == 7, let element = try await iterator.next() { result.append(element) }
            return result
        }
        let end = events[9].token
        #expect(try await firstElements(events[6].token) == [.subscribed(events[6].token), .event(events[7])])
        let future = ResumeToken(incarnation: end.incarnation, position: 11)
        #expect(try await firstElements(future) == [.reset(end, .future)])
        let foreign = ResumeToken(incarnation: .make(), position: 3)
        #expect(try await firstElements(foreign) == [.reset(end, .unknownIncarnation)])
        try await one.database.execute("DELETE FROM events.log WHERE position <= 4")
        try await one.database.execute("UPDATE events.sequencer SET trimmed = 4")
        #expect(try await firstElements(events[2].token) == [.reset(end, .tooOld)])
        #expect(try await firstElements(events[3].token) == [.subscribed(events[3].token)])

        // A log made anew under a subscriber that is up to date.
        try await one.database.execute("UPDATE events.sequencer SET incarnation = gen_random_uuid()")
        guard case .reset(let token, .unknownIncarnation) = try await iterator.next() else {
            Issue.record("not told of the new log")
            return
        }
        #expect(token.incarnation != start.incarnation && token.position == 10)
        try await EventLogTests.change("k0", in: one.database)
        guard case .event(let event) = try await iterator.next() else {
            Issue.record("does not go on")
            return
        }
        #expect(event.position == 11)
        await one.stop()
    }

    @Test("A slow reader holds up nobody and misses nothing")
    func slowReader() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let one = try await Instance.make("calls-1", url: url)
        var slow = one.bus.subscribe(topics: ["calls"]).makeAsyncIterator()
        var quick = one.bus.subscribe(topics: ["calls"]).makeAsyncIterator()
        _ = try await slow.next()
        _ = try await quick.next()
        // More than the shared window holds, in transactions of 500, with other topics between.
        for batch in 0..<12 {
            try await one.database.transaction { transaction in
                for number in 0..<500 {
                    try await transaction.publish(
                        draft("k", Int64(batch * 500 + number), topic: number % 2 == 0 ? "calls" : "records"))
                }
            }
        }
        func read(_ iterator: inout EventSubscription.AsyncIterator) async throws -> [UInt64] {
            var positions: [UInt64] = []
            while positions.count < 3000 {
                if case .event(let event) = try await iterator.next() { positions.append(event.position) }
            }
            return positions
        }
        let expected = (0..<3000).map { UInt64($0 * 2 + 1) }
        let quickly = try await read(&quick)
        let slowly = try await read(&slow)
        #expect(quickly == expected)
        // Whatever the slow one has yet to read is not kept for it.
        #expect(one.bus.held.events <= 2048)
        #expect(slowly == expected)
        await one.stop()
    }

    @Test("Large events take no more memory than small ones, however far a reader is behind")
    func largeEvents() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let one = try await Instance.make("calls-1", url: url)
        var slow = one.bus.subscribe().makeAsyncIterator()
        var quick = one.bus.subscribe().makeAsyncIterator()
        _ = try await slow.next()
        _ = try await quick.next()
        for version in 1...40 {
            try await one.database.transaction { transaction in
                var large = draft("k", Int64(version))
                large.payload = [UInt8](repeating: UInt8(version), count: 1 << 20)
                try await transaction.publish(large)
            }
        }
        for position in 1...40 as ClosedRange<UInt64> {
            guard case .event(let event) = try await quick.next() else { break }
            #expect(event.position == position)
            #expect(one.bus.held.payloadBytes <= 8 << 20)
        }
        for position in 1...40 as ClosedRange<UInt64> {
            guard case .event(let event) = try await slow.next() else { break }
            #expect(event.position == position && event.payload == [UInt8](repeating: UInt8(position), count: 1 << 20))
        }
        await one.stop()
    }

    @Test("A subscriber that is cancelled or whose bus stops is let go")
    func endings() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let one = try await Instance.make("calls-1", url: url)
        let cancelled = Task { for try await _ in one.bus.subscribe() {} }
        let stopped = Task { for try await _ in one.bus.subscribe() {} }
        cancelled.cancel()
        _ = try? await cancelled.value
        await one.stop()
        try await stopped.value
    }
}
