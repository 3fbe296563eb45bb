import Foundation
import Glibc
import Runtime
import Synchronization
import Testing

/// A whole running system: `bellwire up` with its private PostgreSQL, rtpengine and services, on an address of its own.
final class BellwireSystem: Sendable {
    let address: String
    let folder: Folder
    private let settings: [String: String]
    private let process: Mutex<Program?> = Mutex(nil)

    /// Loopback addresses are handed out once, so that systems run side by side with the same ports.
    private static let nextAddress = Atomic<Int>(Int(getpid()) % 200 * 250 + 2)

    static func freshAddress() -> String {
        let number = nextAddress.wrappingAdd(1, ordering: .relaxed).oldValue
        return "127.\(64 + number / 65_536).\(number / 256 % 256).\(number % 256)"
    }

    init(settings: [String: String] = [:], address: String = freshAddress()) throws {
        self.address = address
        self.settings = settings
        folder = try Folder()
    }

    var runDirectory: String { folder.file("run") }

    var environment: [String: String] {
        [
            "BELLWIRE_HOST": address, "BELLWIRE_RUN_DIR": runDirectory, "DEMO": "0",
        ].merging(settings) { $1 }
    }

    /// Starts it and waits until every service takes work.
    func start() async throws {
        let program = try await Program.start(
            Program.product("bellwire"), ["up"], environment: environment, in: folder, name: "up")
        process.withLock { $0 = program }
        _ = try await eventually("readiness", within: .seconds(60)) {
            if program.child.hasEnded { throw Fault.ended(program.standardError) }
            return try await self.isReady() ? true : nil
        }
    }

    enum Fault: Error {
        case ended(String)
        case refused(String)
    }

    var supervisor: Program { process.withLock { $0! } }

    /// All services answer and are ready.
    func isReady() async throws -> Bool {
        let services = try await statuses()
        let names = Set(services.compactMap { $0["service"] as? String })
        return names == ["directory", "calls", "records", "voicemail", "notifications"]
            && services.allSatisfy { $0["ready"] as? Bool == true }
    }

    func statuses() async throws -> [[String: Any]] {
        let output = try await run(["status", "--json"])
        return try BellwireSystem.objects(output.standardOutput).filter { $0["processId"] != nil }
    }

    func processIdentifier(of service: String) async throws -> Int32? {
        try await statuses().first { $0["service"] as? String == service }?["processId"] as? Int32
    }

    var isRunning: Bool { process.withLock { $0.map { !$0.child.hasEnded } ?? false } }

    /// Asks it to end, as Ctrl-C does.
    func interrupt() { process.withLock { _ = $0?.child.signal(SIGINT) } }

    /// Ends it as Ctrl-C does.
    func stop() async {
        guard let program = process.withLock({ $0 }) else { return }
        program.child.signal(SIGINT)
        let output = await program.finish(within: .seconds(60))
        #expect(output.status == 0, "bellwire up ended with \(output.status): \(output.standardError.suffix(2000))")
    }

    /// Runs the CLI and returns what it printed.
    func run(_ arguments: [String], within limit: Duration = .seconds(60)) async throws -> Program.Output {
        let name = "cli-\(BellwireSystem.counter.wrappingAdd(1, ordering: .relaxed).newValue)"
        let program = try await Program.start(
            Program.product("bellwire"), arguments, environment: environment, in: folder, name: name)
        return await program.finish(within: limit)
    }

    private static let counter = Atomic<Int>(0)

    /// The objects of a command that must succeed.
    @discardableResult
    func json(_ arguments: String..., sourceLocation: SourceLocation = #_sourceLocation) async throws -> [[String: Any]]
    {
        let output = try await run(arguments + ["--json"])
        guard output.status == 0 else {
            Issue.record(
                "\(arguments) ended with \(output.status): \(output.standardError)", sourceLocation: sourceLocation)
            throw Fault.refused(output.standardError)
        }
        return try BellwireSystem.objects(output.standardOutput)
    }

    static func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").compactMap {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// A command that prints a line for each change until it is stopped.
    func follow(_ arguments: String...) async throws -> Follower {
        let name = "follow-\(BellwireSystem.counter.wrappingAdd(1, ordering: .relaxed).newValue)"
        return Follower(
            try await Program.start(
                Program.product("bellwire"), arguments + ["--json"], environment: environment, in: folder, name: name))
    }
}

/// A running `watch` or `tail`.
final class Follower: Sendable {
    let program: Program

    init(_ program: Program) { self.program = program }

    /// Whole lines so far.
    var objects: [[String: Any]] {
        let text = program.standardOutput
        guard let end = text.lastIndex(of: "\n") else { return [] }
        return (try? BellwireSystem.objects(String(text[...end]))) ?? []
    }

    func stop() async {
        program.child.signal(SIGINT)
        _ = await program.finish(within: .seconds(10))
    }
}
