import Bus
import Domain
import Observability
import RPC
import Store
import Synchronization
import TestSupport
import Testing

@Suite struct MembershipTests {
    /// Notes what it hears; the slots named are busy.
    final class Recorder: SlotHandler {
        let busy = Mutex<Set<Int>>([])
        let events = Mutex<[String]>([])

        func acquired(_ lease: SlotLease) async { events.withLock { $0.append("+\(lease.slot)@\(lease.epoch)") } }
        func lost(_ lease: SlotLease) async { events.withLock { $0.append("-\(lease.slot)@\(lease.epoch)") } }
        func isBusy(slot: Int) async -> Bool { busy.withLock { $0.contains(slot) } }
    }

    @Test("The first takes every slot; one that joins gets its half, and the handlers hear of each move once")
    func sharing() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let (heard, heardToo) = (Recorder(), Recorder())
        // A lease long enough that no busy machine lets it run out.
        let lease = Duration.seconds(4)
        let first = try await Instance.make("calls-1", url: url, lease: lease, handler: heard)
        #expect(first.membership.slots == Array(0..<64))
        let second = try await Instance.make("calls-2", url: url, lease: lease, handler: heardToo)
        let joined = ContinuousClock.now
        try await eventually("known to each other") {
            first.membership.instances(of: "calls").count == 2 && second.membership.instances(of: "calls").count == 2
        }
        #expect(ContinuousClock.now - joined < .seconds(2))
        try await eventually("shared evenly") {
            // At no time does a slot have two owners. They move from the first to the second: what the second has, the
            // first has let go of before.
            let theirs = Set(second.membership.slots)
            let mine = Set(first.membership.slots)
            #expect(mine.isDisjoint(with: theirs))
            return mine.count == 32 && theirs.count == 32
        }
        try await eventually("owners known") {
            (0..<64).allSatisfy { slot in
                let owner = first.membership.slots.contains(slot) ? "calls-1" : "calls-2"
                return first.membership.owner(of: "calls", slot: slot)?.instance == owner
                    && second.membership.owner(of: "calls", slot: slot)?.instance == owner
            }
        }
        try await eventually("handlers told") {
            heard.events.withLock { $0.count } == 64 + 32 && heardToo.events.withLock { $0.count } == 32
        }
        // An instance that leaves gives its slots back at once.
        await second.stop()
        await first.membership.refresh()
        await first.membership.refresh()
        #expect(first.membership.slots.count == 64)
        #expect(first.membership.lease(slot: 63).map { $0.epoch > 1 } == true)
        await first.stop()
        let left = try await asOwner(url) { try await $0.query("SELECT 1 FROM cluster.instance") }
        #expect(left.isEmpty)
    }

    @Test("Busy slots stay where they are")
    func busySlots() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let heard = Recorder()
        heard.busy.withLock { $0 = Set(20..<64) }
        let first = try await Instance.make("calls-1", url: url, handler: heard)
        let second = try await Instance.make("calls-2", url: url)
        try await eventually("idle ones moved") { second.membership.slots == Array(0..<20) }
        #expect(first.membership.slots == Array(20..<64))
        heard.busy.withLock { $0 = [] }
        try await eventually("the rest moved when idle") { second.membership.slots.count == 32 }
        await first.stop()
        await second.stop()
    }

    @Test("A crashed instance's slots move after its lease, and its fence is refused from then on")
    func takeover() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let first = try await Instance.make("calls-1", url: url)
        let second = try await Instance.make("calls-2", url: url)
        try await eventually("shared") { second.membership.slots.count == 32 && first.membership.slots.count == 32 }
        let slot = try #require(first.membership.slots.first)
        let stale = try #require(first.membership.lease(slot: slot))
        try await second.database.transaction { try await $0.fence(stale) }
        await first.crash()
        let crashed = ContinuousClock.now
        try await eventually("taken over") { second.membership.slots.count == 64 }
        #expect(ContinuousClock.now - crashed < .seconds(4))
        #expect(second.membership.lease(slot: slot)?.epoch == stale.epoch + 1)
        await #expect(throws: StoreError.staleEpoch) {
            try await second.database.transaction { try await $0.fence(stale) }
        }
        #expect(second.membership.instances(of: "calls").map(\.instance) == ["calls-2"])
        await second.stop()
    }

    @Test("A restart under the same name has its slots at once, long before the lease ends")
    func sameName() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let directory = try TemporaryDirectory()
        let first = try await Instance.make("calls-1", url: url, directory: directory.path, lease: .seconds(60))
        let stale = try #require(first.membership.lease(slot: 5))
        await #expect(throws: MembershipError.nameTaken(service: "calls", instance: "calls-1")) {
            _ = try await Instance.make("calls-1", url: url, directory: directory.path, lease: .seconds(60))
        }
        await first.crash()
        let again = try await Instance.make("calls-1", url: url, directory: directory.path, lease: .seconds(60))
        #expect(again.membership.slots.count == 64)
        #expect(again.membership.lease(slot: 5).map { $0.epoch > stale.epoch } == true)
        await #expect(throws: StoreError.staleEpoch) {
            try await again.database.transaction { try await $0.fence(stale) }
        }
        await again.stop()
    }

    @Test("Without a lock to prove it, a name is taken over only after the lease")
    func unprovenName() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        // Long enough that a busy machine lets its holder renew it.
        let lease = Duration.seconds(3)
        let first = try await Instance.make("calls-1", url: url, lease: lease)
        await #expect(throws: MembershipError.nameTaken(service: "calls", instance: "calls-1")) {
            _ = try await Instance.make("calls-1", url: url, lease: lease)
        }
        #expect(first.membership.slots.count == 64)
        await first.crash()
        let again = try await Instance.make("calls-1", url: url, lease: lease)
        #expect(again.membership.slots.count == 64)
        await again.stop()
    }

    @Test("While PostgreSQL is away leases hold, and nobody loses anything when it comes back")
    func freeze() async throws {
        let postgres = try await TestPostgres.make()
        let url = try await postgres.makeDatabase()
        // Long enough that a busy machine makes nobody doubt itself.
        let lease = Duration.seconds(4)
        let first = try await Instance.make("calls-1", url: url, lease: lease, patience: .milliseconds(500))
        let second = try await Instance.make("calls-2", url: url, lease: lease, patience: .milliseconds(500))
        try await eventually("shared") { second.membership.slots.count == 32 && first.membership.slots.count == 32 }
        let before = first.membership.slots.compactMap { first.membership.lease(slot: $0) }
        await postgres.stop()
        let away = ContinuousClock.now
        try await eventually("away for two leases") {
            #expect(before.allSatisfy { first.membership.lease(slot: $0.slot) == $0 })
            #expect(first.membership.instances(of: "calls").count == 2)
            return ContinuousClock.now - away > lease * 2
        }
        try await postgres.start()
        let back = ContinuousClock.now
        try await eventually("unchanged for more than a lease") {
            #expect(before.allSatisfy { first.membership.lease(slot: $0.slot) == $0 })
            #expect(first.membership.instances(of: "calls").count == 2)
            return ContinuousClock.now - back > lease * 1.5
        }
        #expect(second.membership.slots.count == 32)
        await first.stop()
        await second.stop()
        await postgres.stop()
    }

    @Test("A slot in whose fence a transaction stands is not taken from under it")
    func fenceHolds() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let first = try await Instance.make("calls-1", url: url)
        // Nil while a busy machine makes it doubt itself.
        try await eventually("held") { first.membership.lease(slot: 7) != nil }
        let lease = SlotLease(group: "calls", slot: 7, epoch: 1)
        let outsider = try await Instance.make("records-1", url: url, service: "records", slots: false)
        let second = try await Instance.make("calls-2", url: url, handler: nil)
        try await outsider.database.transaction { transaction in
            try await transaction.fence(lease)
            await first.crash()
            try await eventually("all the others taken") {
                // Keeps the transaction from idling.
                _ = try await transaction.query("SELECT 1")
                return second.membership.slots.count == 63
            }
            #expect(second.membership.lease(slot: 7) == nil)
        }
        try await eventually("and this one after it") { second.membership.slots.count == 64 }
        await second.stop()
        await outsider.stop()
    }

    @Test("An owner whose lease is over is named as one no more, though nobody has its slots yet")
    func lapsedOwner() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let first = try await Instance.make("calls-1", url: url)
        let other = try await Instance.make("records-1", url: url, service: "records", slots: false)
        try await eventually("known") { other.membership.owner(of: "calls", slot: 9)?.instance == "calls-1" }
        await first.crash()
        try await eventually("gone") { other.membership.instances(of: "calls").isEmpty }
        #expect(other.membership.owner(of: "calls", slot: 9) == nil)
        await other.stop()
    }

    @Test("An observer sees who lives and who owns, and leaves no trace")
    func observer() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        let first = try await Instance.make("calls-1", url: url)
        let database = Database(
            DatabaseConfiguration(url: url, role: "bellwire_cli", connections: 2), logger: TestPostgres.quiet)
        try await database.start()
        let observer = Membership(observing: database, logger: TestPostgres.quiet)
        try await observer.start()
        #expect(observer.instances(of: "calls").map(\.instance) == ["calls-1"])
        #expect(observer.owner(of: "calls", slot: 9)?.instance == "calls-1")
        #expect(observer.anyLease() == nil)
        await first.crash()
        try await eventually("gone after the lease") {
            await observer.refresh()
            return observer.instances(of: "calls").isEmpty
        }
        await observer.stop()
        await database.stop()
    }
}
