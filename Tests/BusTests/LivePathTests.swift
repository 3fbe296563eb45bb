import Bus
import Domain
import Foundation
import Glibc
import Observability
import Store
import TestSupport
import Testing
import ZeroMQ

@Suite struct LivePathTests {
    /// The shortest time from a change made in `writer` until `reader` has read it: far below a poll's period where the
    /// live path works. The best of many, since a busy machine takes its time.
    private func quickest(_ writer: Instance, _ reader: Instance) async throws -> Duration {
        var iterator = reader.bus.subscribe().makeAsyncIterator()
        _ = try await iterator.next()
        var best = Duration.seconds(10)
        for _ in 0..<40 {
            let start = ContinuousClock.now
            try await EventLogTests.change("k0", in: writer.database)
            _ = try await iterator.next()
            best = min(best, ContinuousClock.now - start)
        }
        return best
    }

    private static let quick = Duration.milliseconds(80)

    @Test("With the live path an event is read long before any poll; its sockets are this user's alone")
    func sockets() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        try await EventLogTests.prepare(url, keys: 1)
        let directory = try TemporaryDirectory()
        let first = try await Instance.make("calls-1", url: url, directory: directory.path)
        let second = try await Instance.make("calls-2", url: url, directory: directory.path)
        try await eventually("one sequences") { first.bus.isSequencer }
        // Written and read where it is not sequenced.
        #expect(try await quickest(second, second) < Self.quick)
        for name in ["calls-1", "calls-2"] {
            let path = "\(directory.path)/sockets/\(name).events"
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        await first.stop()
        await second.stop()
    }

    @Test("Nobody waits for a poll: every event comes live, also between hosts", arguments: [false, true])
    func live(curve: Bool) async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        try await EventLogTests.prepare(url, keys: 1)
        let directory = try TemporaryDirectory()
        let list = AllowedKeysFile(path: "\(directory.path)/allowed")
        let keys = (0..<2).map { _ in CurveSecretKey.make() }
        for key in keys { try list.allow(AllowedKey(key: key.publicKey, name: "host", roles: ["calls"])) }
        func instance(_ number: Int) async throws -> Instance {
            var options = LivePathOptions(runDirectory: directory.path)
            if curve {
                let credentials = CurveCredentials(
                    secret: keys[number], allowed: try AllowedKeys(path: "\(directory.path)/allowed"))
                options = LivePathOptions(
                    runDirectory: directory.path, endpoint: "tcp://127.0.0.1:*", curve: credentials)
            }
            return try await Instance.make(
                "calls-\(number)", url: url, directory: directory.path, livePath: options, pollPeriod: .seconds(3600))
        }
        let first = try await instance(0)
        try await eventually("it sequences") { first.bus.isSequencer }
        let second = try await instance(1)
        let seen = Counters().counter("seen")
        let reading = Task { for try await _ in second.bus.subscribe() { seen.increment() } }
        try await eventually("subscribed") { seen.value == 1 }
        // Written and read where it is not sequenced.
        func change(patience: Int) async throws -> Bool {
            let expected = seen.value + 1
            try await EventLogTests.change("k0", in: second.database)
            for _ in 0..<patience where seen.value < expected { try await Task.sleep(for: .milliseconds(5)) }
            return seen.value == expected
        }
        // Until both directions are connected, news may be lost.
        try await eventually("connected") { try await change(patience: 100) }
        let followed = ["live", "log"].map { second.counters.counter("events_followed_total", ["way": $0]) }
        let before = followed.map(\.value)
        for _ in 0..<20 { #expect(try await change(patience: 2000)) }
        // They came themselves: none had to be read from the log.
        #expect(zip(followed, before).map { $0.value - $1 } == [20, 0])
        reading.cancel()
        await second.stop()
        await first.stop()
        _ = try? await reading.value
    }

    @Test("Between hosts by CURVE: a key that is not allowed is refused, counted, and misses nothing")
    func curve() async throws {
        let url = try await TestPostgres.shared.makeDatabase()
        try await EventLogTests.prepare(url, keys: 1)
        let directory = try TemporaryDirectory()
        let list = AllowedKeysFile(path: "\(directory.path)/allowed")
        let keys = (0..<3).map { _ in CurveSecretKey.make() }
        for key in keys[..<2] { try list.allow(AllowedKey(key: key.publicKey, name: "host", roles: ["calls"])) }
        func instance(_ number: Int) async throws -> Instance {
            let curve = CurveCredentials(
                secret: keys[number], allowed: try AllowedKeys(path: "\(directory.path)/allowed"))
            return try await Instance.make(
                "calls-\(number)", url: url,
                livePath: LivePathOptions(runDirectory: directory.path, endpoint: "tcp://127.0.0.1:*", curve: curve))
        }
        let first = try await instance(0)
        try await eventually("it sequences") { first.bus.isSequencer }
        let second = try await instance(1)
        let stranger = try await instance(2)
        let addresses = try await asOwner(url) { database in
            try await database.query("SELECT events_address FROM cluster.instance ORDER BY name")
                .map { try $0.string("events_address") }
        }
        #expect(
            zip(addresses, keys).allSatisfy { $0.hasPrefix("tcp://127.0.0.1:") && $0.hasSuffix("#\($1.publicKey)") })

        // The stranger is refused by the others, and so polls; it reads every event all the same.
        var iterator = stranger.bus.subscribe().makeAsyncIterator()
        guard case .subscribed(let start) = try await iterator.next() else { return }
        try await EventLogTests.change("k0", in: first.database)
        guard case .event(let event) = try await iterator.next() else { return }
        #expect(event.position == start.position + 1)
        let refused = first.counters.counter(
            "curve_refused_peers_total", ["socket": "events", "reason": "unknownKey"])
        try await eventually("refused") { refused.value > 0 }
        for instance in [stranger, second, first] { await instance.stop() }
    }
}
