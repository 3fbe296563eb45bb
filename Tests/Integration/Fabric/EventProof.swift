import FabricNode
import Store
import TestSupport
import Testing

/// Nothing gets lost: numbered events flow between real processes while those, and PostgreSQL, are killed, frozen and
/// restarted at random.
struct EventProof {
    let seed: UInt64

    func run(for duration: Duration) async throws {
        print("event proof: \(duration), seed \(seed)")
        let postgres = try await TestPostgres.make()
        let system = try await FabricSystem(postgres)
        var chaos = Chaos(system, seed: seed)
        try await chaos.run(for: duration)
        #expect(await system.stopNodes(Chaos.publishers) == [])

        let last = try await everythingArrived(system)
        let faults = chaos.struck.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        print("event proof: \(last) events; \(faults)")
        #expect(last > 50)
        try await expectWholeLog(system, last)
        for name in Chaos.subscribers { expectAllSeen(system.lines("\(name).seen"), last, name) }
        try await expectWorkDoneOnce(system, last)
        let stale = try await system.slotsWrittenUnderStaleLeases()
        #expect(stale.isEmpty)
        #expect(system.outwardActsUnderStaleLeases() == [])
        #expect(await system.stop() == [])
        await postgres.stop()
    }

    /// Waits until nothing is under way any more; returns the last position.
    private func everythingArrived(_ system: FabricSystem) async throws -> Int {
        try await eventually("everything at everybody", within: .seconds(120)) { () -> Int? in
            let rows = try await system.database.query(
                """
                SELECT position, (SELECT count(*) FROM events.outbox) AS waiting,
                    (SELECT count(DISTINCT position) FROM calls.done) AS done
                FROM events.sequencer
                """)
            let last = try rows[0].int("position")
            guard try rows[0].int("waiting") == 0, try rows[0].int("done") == last else { return nil }
            let haveAllSeen = Chaos.subscribers.allSatisfy { name in
                system.lines("\(name).seen").last?.first.flatMap { Int($0) } == last
            }
            return haveAllSeen ? last : nil
        }
    }

    /// Positions without a gap; of each key every version once, in order; and whatever a publisher was told is there.
    private func expectWholeLog(_ system: FabricSystem, _ last: Int) async throws {
        let log = try await system.database.query("SELECT position, key, version FROM events.log ORDER BY position")
        var versions: [String: Int] = [:]
        for (index, row) in log.enumerated() {
            let (position, key, version) = (try row.int("position"), try row.string("key"), try row.int("version"))
            #expect(position == index + 1)
            #expect(version == versions[key, default: 0] + 1, "\(key) at \(position)")
            versions[key] = version
        }
        #expect(log.count == last)
        for row in try await system.database.query("SELECT key, version FROM calls.thing") {
            let version = try row.int("version")
            #expect(try versions[row.string("key"), default: 0] == version)
        }
        for name in Chaos.publishers {
            for line in system.lines("\(name).confirmed") {
                #expect(Int(line[1])! <= versions[String(line[0]), default: 0], "\(name) was told of \(line)")
            }
        }
    }

    /// Every event at least once, none before the one ahead of it; without a reset.
    private func expectAllSeen(_ lines: [[Substring]], _ last: Int, _ name: String) {
        var highest = 0
        for line in lines {
            guard let position = Int(line[0]) else {
                Issue.record("\(name): \(line.joined(separator: " "))")
                continue
            }
            #expect(position <= highest + 1, "\(name) misses what lies before \(position)")
            highest = max(highest, position)
        }
        #expect(highest == last, "\(name)")
    }

    /// Exactly once each, in order per key.
    private func expectWorkDoneOnce(_ system: FabricSystem, _ last: Int) async throws {
        let done = try await system.database.query("SELECT key, version FROM calls.done ORDER BY number")
        #expect(done.count == last)
        var versions: [String: Int] = [:]
        for row in done {
            let (key, version) = (try row.string("key"), try row.int("version"))
            #expect(version == versions[key, default: 0] + 1, "\(key)")
            versions[key] = version
        }
    }
}
