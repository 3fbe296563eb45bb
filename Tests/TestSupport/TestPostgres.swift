import Foundation
import Glibc
public import Observability
import Runtime
import Store
import Synchronization

/// A private PostgreSQL for a test process: started once, listening on a Unix socket under a temporary folder only, gone
/// with the process. Each test makes itself a database of its own.
///
/// As root it runs as the system's user `postgres`, since PostgreSQL refuses root.
public final class TestPostgres: Sendable {
    private static let instance = Task { try await TestPostgres.make() }

    /// The process's one; tests that stop or restart a server make their own.
    public static var shared: TestPostgres {
        get async throws { try await instance.value }
    }

    public struct Failure: Error, CustomStringConvertible {
        public let description: String
    }

    private let folder: String
    private let spawner: ChildSpawner
    private let user: (user: UInt32, group: UInt32)?
    private let server = Mutex<ChildProcess?>(nil)
    private let template = Mutex<Task<String, any Error>?>(nil)
    private let databases = Atomic<Int>(0)
    private let settings: [String]
    private static let made = Atomic<Int>(0)

    /// A running server of its own.
    ///
    /// - Parameter settings: like `max_connections=4`.
    public static func make(settings: [String] = []) async throws -> TestPostgres {
        removeLeftovers()
        let postgres = try TestPostgres(settings)
        try await postgres.initialize()
        try await postgres.start()
        return postgres
    }

    private init(_ settings: [String]) throws {
        self.settings = settings
        let number = TestPostgres.made.wrappingAdd(1, ordering: .relaxed).newValue
        folder = "\(TestPostgres.prefix)\(getpid())-\(number)"
        spawner = try ChildSpawner()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        chmod(folder, 0o755)
        if getuid() == 0 {
            guard let entry = getpwnam("postgres") else { throw Failure(description: "no user postgres") }
            user = (entry.pointee.pw_uid, entry.pointee.pw_gid)
            chown(folder, entry.pointee.pw_uid, entry.pointee.pw_gid)
        } else {
            user = nil
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    /// A fresh, empty database. Its owner is a superuser.
    public func makeEmptyDatabase() async throws -> String {
        let name = "test\(databases.wrappingAdd(1, ordering: .relaxed).newValue)"
        try await administer { try await $0.execute("CREATE DATABASE \(raw: name)") }
        return url(name)
    }

    /// A fresh database with every migration applied.
    public func makeDatabase() async throws -> String {
        let template = template.withLock { current in
            if let current { return current }
            let task = Task {
                let url = url("bellwire_template")
                try await administer { try await $0.execute("CREATE DATABASE bellwire_template") }
                try await Migrator.migrate(url: url, logger: TestPostgres.quiet)
                return "bellwire_template"
            }
            current = task
            return task
        }
        let source = try await template.value
        let name = "test\(databases.wrappingAdd(1, ordering: .relaxed).newValue)"
        try await administer { try await $0.execute("CREATE DATABASE \(raw: name) TEMPLATE \(raw: source)") }
        return url(name)
    }

    public func url(_ database: String) -> String { "postgresql://bellwire@/\(database)?host=\(folder)" }

    /// A logger that keeps its mouth shut below errors.
    public static let quiet = Logger(service: "test", instance: "test-1", level: .error)

    /// Of the process that all others of the server descend from; nil while it does not run.
    public var processIdentifier: Int32? { server.withLock { $0?.identifier } }

    /// Ends all connections at once, as a crash does.
    public func stop() async {
        let running = server.withLock { server in
            defer { server = nil }
            return server
        }
        running?.signal(SIGQUIT)
        _ = await running?.exitStatus
    }

    /// Returns once it takes connections.
    public func start() async throws {
        let arguments = [
            "-D", "\(folder)/data", "-k", folder, "-c", "listen_addresses=", "-c", "fsync=off",
            "-c", "max_connections=1000", "-c", "logging_collector=off", "-c", "log_min_messages=fatal",
        ]
        let more = settings.flatMap { ["-c", $0] }
        let child = try await spawn("postgres", arguments + more)
        server.withLock { $0 = child }
        try await administer { _ in }
    }

    private func initialize() async throws {
        let status = try await spawn(
            "initdb",
            ["-D", "\(folder)/data", "-U", "bellwire", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
        ).exitStatus
        guard status == 0 else { throw Failure(description: "initdb ended with \(status)") }
    }

    private func spawn(_ program: String, _ arguments: [String]) async throws -> ChildProcess {
        var request = ChildProcessRequest(
            executable: "\(try TestPostgres.programs())/\(program)", arguments: arguments,
            environment: ["LC_ALL": "C", "PATH": "/usr/bin:/bin", "TZ": "UTC"], directory: folder)
        request.user = user
        request.deathSignal = SIGQUIT
        let log = open("\(folder)/\(program).log", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        defer { close(log) }
        request.standardOutput = log
        request.standardError = log
        return try await spawner.spawn(request)
    }

    private func administer(_ body: (Database) async throws -> Void) async throws {
        let configuration = DatabaseConfiguration(
            url: url("postgres"), connections: 2, patience: .seconds(20), statementTimeout: .seconds(60))
        let database = Database(configuration, logger: TestPostgres.quiet)
        do {
            try await database.start()
            try await body(database)
        } catch {
            await database.stop()
            throw error
        }
        await database.stop()
    }

    private static func programs() throws -> String {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        guard let newest = versions.compactMap({ Int($0) }).max() else {
            throw Failure(description: "no PostgreSQL under /usr/lib/postgresql")
        }
        return "/usr/lib/postgresql/\(newest)/bin"
    }

    private static let prefix = "/tmp/bellwire-test-pg-"

    /// Folders of test processes that are gone.
    private static func removeLeftovers() {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: "/tmp")) ?? [] {
            let path = "/tmp/\(name)"
            guard path.hasPrefix(prefix), let owner = Int32(path.dropFirst(prefix.count).prefix { $0 != "-" }),
                kill(owner, 0) != 0, errno == ESRCH
            else { continue }
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
