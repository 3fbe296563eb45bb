import FabricNode
import Glibc
import TestSupport

/// Kills, freezes and restarts what runs, as the seed has it.
struct Chaos {
    private static let nodes: [(name: String, role: NodeRole)] = [
        ("publisher-1", .publisher), ("publisher-2", .publisher), ("sequencer-1", .sequencer),
        ("subscriber-1", .subscriber), ("subscriber-2", .subscriber), ("worker-1", .worker), ("worker-2", .worker),
        ("worker-3", .worker), ("calls-1", .owner), ("calls-2", .owner),
    ]
    static let publishers = names(.publisher)
    static let subscribers = names(.subscriber)

    private let system: FabricSystem
    private var random: SeededGenerator
    private var frozen: [String: ContinuousClock.Instant] = [:]
    /// How often each fault struck.
    private(set) var struck: [String: Int] = [:]

    init(_ system: FabricSystem, seed: UInt64) {
        self.system = system
        random = SeededGenerator(seed: seed)
    }

    private static func names(_ role: NodeRole) -> [String] { nodes.filter { $0.role == role }.map(\.name) }

    /// Starts every node, strikes for a while, then leaves all of them running, and PostgreSQL too.
    mutating func run(for duration: Duration) async throws {
        for node in Self.nodes { try await system.start(node.role, node.name) }
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            // The pace of the faults, and of nothing else.
            try await Task.sleep(for: .milliseconds(Int.random(in: 50...800, using: &random)))
            thaw { $0 <= .now }
            try await strike()
        }
        thaw { _ in true }
    }

    private mutating func strike() async throws {
        let node = Self.nodes.randomElement(using: &random)!
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<20: try await kill([node])
        case 20..<22: try await kill(Array(Self.nodes.shuffled(using: &random).prefix(4)))
        case 22..<30: freeze(node.name, for: 1...1500)
        // Up to two leases.
        case 30..<37: freeze(node.name, for: 1500...8000)
        case 37:
            count("PostgreSQL stopped")
            await system.postgres.stop()
            try await restart()
        case 38:
            count("PostgreSQL killed")
            await system.postgres.kill()
            try await restart()
        default:
            count("PostgreSQL frozen")
            let processes = system.postgres.processes
            for process in processes { Glibc.kill(process, SIGSTOP) }
            try await Task.sleep(for: .milliseconds(Int.random(in: 100...4000, using: &random)))
            for process in processes { Glibc.kill(process, SIGCONT) }
        }
    }

    private mutating func kill(_ nodes: [(name: String, role: NodeRole)]) async throws {
        for node in nodes {
            count("\(node.role.rawValue) killed")
            frozen[node.name] = nil
            await system.kill(node.name)
        }
        for node in nodes { try await system.start(node.role, node.name) }
    }

    private mutating func freeze(_ name: String, for milliseconds: ClosedRange<Int>) {
        count("frozen")
        frozen[name] = .now + .milliseconds(Int.random(in: milliseconds, using: &random))
        system.signal(name, SIGSTOP)
    }

    private mutating func thaw(_ isDue: (ContinuousClock.Instant) -> Bool) {
        for (name, until) in frozen where isDue(until) {
            frozen[name] = nil
            system.signal(name, SIGCONT)
        }
    }

    private mutating func restart() async throws {
        try await Task.sleep(for: .milliseconds(Int.random(in: 0...3000, using: &random)))
        try await system.postgres.start()
    }

    private mutating func count(_ what: String) { struck[what, default: 0] += 1 }
}

extension TestPostgres {
    /// The server's, the one that all descend from first.
    fileprivate var processes: [Int32] {
        processIdentifier.map { [$0] + ProcessTable.descendants(of: $0) } ?? []
    }

    /// As the kernel does when memory is short. Returns once no process of the server is left.
    fileprivate func kill() async {
        let processes = processes
        Glibc.kill(processes[0], SIGKILL)
        await stop()
        while processes.contains(where: ProcessTable.isAlive) { try? await Task.sleep(for: .milliseconds(5)) }
    }
}
