import FabricNode
import Glibc
import RPC
import Store
import TestSupport
import Testing

/// Real processes, a real PostgreSQL; the deadlines of 600 seconds stand for "at once": the time limit is far below.
@Suite("Owners that freeze, die, are cut off, or come anew", .timeLimit(.minutes(10)))
struct OwnershipTests {
    /// Two owners that share the slots, and a client that knows them.
    private func pair(_ postgres: TestPostgres) async throws -> (FabricSystem, FabricClient) {
        let system = try await FabricSystem(postgres)
        try await system.start(.owner, "calls-1")
        try await system.start(.owner, "calls-2")
        let client = try await FabricClient(system)
        try await shared(system, ["calls-1", "calls-2"])
        _ = try await eventually("known") { client.instances == ["calls-1", "calls-2"] ? true : nil }
        return (system, client)
    }

    private func shared(_ system: FabricSystem, _ names: [String]) async throws {
        _ = try await eventually("slots shared between \(names)") { () -> Bool? in
            let owners = try await system.owners()
            let counts = names.map { name in owners.count { $0 == name } }
            return counts.reduce(0, +) == 64 && counts.max()! - counts.min()! <= 1 ? true : nil
        }
    }

    /// Waits until the database says that `name` owns every slot; each call for one is then answered by it, the first one.
    private func expectAllOwned(by name: String, _ system: FabricSystem, _ client: FabricClient) async throws {
        _ = try await eventually("all slots taken by \(name)") {
            try await system.owners().allSatisfy { $0 == name } ? true : nil
        }
        let owners = try await client.owners()
        #expect(owners.allSatisfy { $0.hasPrefix("\(name) ") })
    }

    private func finish(_ system: FabricSystem, _ client: FabricClient, isCutOff: Bool = false) async throws {
        let stale = try await system.slotsWrittenUnderStaleLeases()
        #expect(stale.isEmpty)
        if !isCutOff { #expect(system.outwardActsUnderStaleLeases() == []) }
        await client.stop()
        #expect(await system.stop() == [])
    }

    @Test(
        "A frozen owner gets no calls after its lease, nobody waits past a deadline, and when it wakes it changes nothing"
    )
    func frozen() async throws {
        let (system, client) = try await pair(TestPostgres.shared)
        let slot = try #require(try await system.owners().firstIndex(of: "calls-1"))
        let before = try await client.own(slot: slot)
        #expect(before.hasPrefix("calls-1 "))
        // Its careless twin has a lease in mind by now.
        _ = try await eventually("acting") { system.lines("acts").contains { $0.last == "calls-1" } ? true : nil }
        // On a busy machine an owner may be missing for a moment: it is to be frozen while its callers know it.
        _ = try await eventually("frozen while known") { () -> Bool? in
            system.signal("calls-1", SIGSTOP)
            do {
                // Reaches it only when it wakes; by then its caller has given up.
                try await client.note("late", at: "calls-1", within: .milliseconds(200))
                Issue.record("a frozen owner answered")
            } catch let error as RPCError where error.code == .unavailable {
                system.signal("calls-1", SIGCONT)
                return nil
            } catch {
                #expect(error as? RPCError == RPCError(.deadlineExceeded, "the deadline passed"))
            }
            return true
        }
        _ = try await eventually("known to be gone") { () -> Bool? in
            do {
                _ = try await client.who(within: .milliseconds(100))
            } catch let error as RPCError {
                #expect([.deadlineExceeded, .unavailable].contains(error.code))
            }
            return client.instances == ["calls-2"] ? true : nil
        }
        for _ in 0..<100 { #expect(try await client.who(within: .seconds(600)) == "calls-2") }
        try await expectAllOwned(by: "calls-2", system, client)

        system.signal("calls-1", SIGCONT)
        _ = try await eventually("refused by the fence") { system.lines("calls-1.refused").isEmpty ? nil : true }
        try await shared(system, ["calls-1", "calls-2"])
        // Its connection may be found dead only now.
        _ = try await eventually("answers") {
            (try? await client.note("early", at: "calls-1", within: .seconds(600))) != nil ? true : nil
        }
        #expect(system.lines("calls-1.notes").allSatisfy { $0 == ["early"] })
        let after = try await client.own(slot: slot)
        #expect(Int(after.split(separator: " ")[1])! > Int(before.split(separator: " ")[1])!)
        try await finish(system, client)
    }

    @Test("A killed owner's calls go elsewhere at once, its slots after its lease; a new one is used without a restart")
    func killed() async throws {
        let (system, client) = try await pair(TestPostgres.shared)
        await system.kill("calls-1")
        for _ in 0..<100 { #expect(try await client.who(within: .seconds(600)) == "calls-2") }
        try await expectAllOwned(by: "calls-2", system, client)
        #expect(client.instances == ["calls-2"])

        try await system.start(.owner, "calls-3")
        _ = try await eventually("the new one answers") {
            try await client.who(within: .seconds(600)) == "calls-3" ? true : nil
        }
        try await shared(system, ["calls-2", "calls-3"])
        let owners = try await system.owners()
        for slot in owners.indices {
            let answer = try await client.own(slot: slot)
            #expect(answer.hasPrefix("\(owners[slot]!) "), "slot \(slot)")
        }
        try await finish(system, client)
    }

    @Test("An owner that alone is cut off from PostgreSQL gets no calls after its lease, and comes back owning nothing")
    func cutOff() async throws {
        let postgres = try await TestPostgres.shared
        let system = try await FabricSystem(postgres)
        try await system.database.execute("CREATE ROLE cutoff LOGIN IN ROLE bellwire_calls")
        try await system.start(.owner, "calls-1", url: system.url.replacing("bellwire@", with: "cutoff@"))
        try await system.start(.owner, "calls-2")
        let client = try await FabricClient(system)
        try await shared(system, ["calls-1", "calls-2"])
        let before = try await system.owners()

        try await system.database.execute("ALTER ROLE cutoff NOLOGIN")
        _ = try await system.database.query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'cutoff'")
        // It cannot know that PostgreSQL answers others: until its callers look again it goes on.
        _ = try await eventually("known to be gone") {
            client.instances == ["calls-2"] && client.knownOwners == ["calls-2"] ? true : nil
        }
        try await expectAllOwned(by: "calls-2", system, client)
        for _ in 0..<100 { #expect(try await client.who(within: .seconds(600)) == "calls-2") }

        try await system.database.execute("ALTER ROLE cutoff LOGIN")
        _ = try await eventually("refused by the fence") { system.lines("calls-1.refused").isEmpty ? nil : true }
        try await shared(system, ["calls-1", "calls-2"])
        #expect(before.contains("calls-1"))
        try await finish(system, client, isCutOff: true)
    }

    @Test("While PostgreSQL is away, and when it comes back, every slot stays where it is and every call is answered")
    func databaseAway() async throws {
        let postgres = try await TestPostgres.make()
        let (system, client) = try await pair(postgres)
        let before = try await client.owners()
        await postgres.stop()
        func expectNothingChanged(for duration: Duration) async throws {
            let start = ContinuousClock.now
            repeat {
                let owners = try await client.owners()
                #expect(owners == before)
                #expect(client.instances == ["calls-1", "calls-2"])
                _ = try await client.who(within: .seconds(600))
            } while ContinuousClock.now - start < duration
        }
        try await expectNothingChanged(for: Fabric.lease * 2)
        try await postgres.start()
        try await expectNothingChanged(for: Fabric.lease * 2)
        try await finish(system, client)
        await postgres.stop()
    }
}
