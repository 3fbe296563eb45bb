import Bus
import FabricNode
import Foundation
import Glibc
import Observability
import RPC
import Runtime
import Store
import Synchronization
import TestSupport

/// Real processes that hold on to each other by leases, calls and events alone, and a PostgreSQL.
final class FabricSystem: Sendable {
    let postgres: TestPostgres
    let url: String
    let folder: Folder
    /// As the owner of everything.
    let database: Database
    private let nodes = Mutex<[String: Program]>([:])

    init(_ postgres: TestPostgres) async throws {
        self.postgres = postgres
        url = try await postgres.makeDatabase()
        folder = try Folder()
        database = Database(
            DatabaseConfiguration(url: url, connections: 2, patience: .seconds(20)), logger: TestPostgres.quiet)
        try await database.start()
        try await Fabric.prepare(database)
    }

    /// Starts a node, or starts it anew.
    func start(_ role: NodeRole, _ name: String, url: String? = nil) async throws {
        let program = try await Program.start(
            Program.product("bellwire-test-node"), [role.rawValue, name, url ?? self.url, folder.path], in: folder,
            name: name)
        nodes.withLock { $0[name] = program }
    }

    /// Returns from SIGSTOP once every thread stands still.
    func signal(_ name: String, _ number: Int32) {
        guard let child = nodes.withLock({ $0[name] })?.child else { return }
        child.signal(number)
        guard number == SIGSTOP else { return }
        for _ in 0..<2000 where !ProcessTable.isStopped(child.identifier) { usleep(1000) }
    }

    func kill(_ name: String) async {
        let node = nodes.withLock { $0.removeValue(forKey: name) }
        node?.child.signal(SIGKILL)
        _ = await node?.child.exitStatus
    }

    /// Ends every node in peace, those that are frozen too; returns the names of those that did not end well.
    func stopNodes(_ names: [String]? = nil) async -> [String] {
        let all = nodes.withLock { nodes in names.map { $0.map { ($0, nodes[$0]!) } } ?? Array(nodes) }
        for (_, program) in all {
            program.child.signal(SIGTERM)
            program.child.signal(SIGCONT)
        }
        var failed: [String] = []
        for (name, program) in all {
            let status = await program.finish(within: .seconds(60)).status
            if status != 0 { failed.append("\(name): \(status) \(program.standardOutput.suffix(500))") }
            nodes.withLock { $0[name] = nil }
        }
        return failed
    }

    func stop() async -> [String] {
        let failed = await stopNodes()
        await database.stop()
        return failed
    }

    /// The whole lines of a node's file.
    func lines(_ file: String) -> [[Substring]] {
        let text = String(decoding: FileManager.default.contents(atPath: folder.file(file)) ?? Data(), as: UTF8.self)
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return text[..<end].split(separator: "\n").map { $0.split(separator: " ") }
    }

    /// The database's word on who owns the slots, by slot.
    func owners() async throws -> [String?] {
        try await database.query(
            "SELECT name FROM cluster.slot WHERE \"group\" = \(Fabric.service) ORDER BY slot"
        ).map { try $0.optionalString("name") }
    }

    /// Slots to which somebody wrote under a lease that another had taken over by then: none, or the fence has a hole.
    func slotsWrittenUnderStaleLeases() async throws -> [Int] {
        try await database.query(
            """
            SELECT DISTINCT slot FROM (
                SELECT slot, epoch, lag(epoch) OVER (PARTITION BY slot ORDER BY number) AS before FROM calls.act
            ) a WHERE epoch < before
            """
        ).map { try $0.int("slot") }
    }

    /// Outward acts for which somebody found a lease standing after another had found a later one: none, or an owner that
    /// had lost its slot still acted.
    func outwardActsUnderStaleLeases() -> [String] {
        let acts = lines("acts").compactMap {
            words -> (asked: UInt64, found: UInt64, slot: Int, epoch: Int, line: String)? in
            guard words.count == 5, let asked = UInt64(words[0]), let found = UInt64(words[1]),
                let slot = Int(words[2]),
                let epoch = Int(words[3])
            else { return nil }
            return (asked, found, slot, epoch, words.joined(separator: " "))
        }
        var stale: [String] = []
        for (_, acts) in Dictionary(grouping: acts, by: \.slot) {
            // From the latest lease back: none may have been asked for after any later one was found.
            var firstLaterFound = UInt64.max
            for (_, acts) in Dictionary(grouping: acts, by: \.epoch).sorted(by: { $0.key > $1.key }) {
                stale += acts.filter { $0.asked > firstLaterFound }.map(\.line)
                firstLaterFound = min(firstLaterFound, acts.map(\.found).min()!)
            }
        }
        return stale
    }
}
