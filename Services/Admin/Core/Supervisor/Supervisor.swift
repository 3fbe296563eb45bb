import Foundation
import Runtime

/// Runs the whole system on this machine: `bellwire up`.
actor Supervisor {
    /// What the supervisor needs of the system once PostgreSQL is there.
    struct Backend: Sendable {
        /// Brings the database up to date.
        let migrate: @Sendable () async throws -> Void
        /// Whether the service's process of this id says that it is ready.
        let isReady: @Sendable (_ service: String, _ process: Int32) async -> Bool
        let stop: @Sendable () async -> Void
    }

    private let settings: UpSettings
    private let executables: String
    private let spawner: ChildSpawner
    private let report: @Sendable (UpReport) -> Void
    private let connect: @Sendable (_ databaseURL: String) async throws -> Backend
    private var lock: RunLock?
    private var keepers: [ProcessKeeper] = []
    private var logs: [LogFile] = []
    private var backend: Backend?
    private var trimming: Task<Void, Never>?

    /// - Parameters:
    ///   - executables: the folder of the services' executables.
    ///   - report: a line for the operator.
    init(
        settings: UpSettings, executables: String, spawner: ChildSpawner,
        report: @escaping @Sendable (UpReport) -> Void,
        connect: @escaping @Sendable (_ databaseURL: String) async throws -> Backend
    ) {
        self.settings = settings
        self.executables = executables
        self.spawner = spawner
        self.report = report
        self.connect = connect
    }

    /// Starts everything in order; returns when all is ready.
    /// - Throws: `StartFailure`, and what stands in the way of a file or a process. `stop` is to be called all the same.
    func start() async throws {
        let directory = settings.directory
        try directory.make()
        lock = try RunLock(directory)
        try await portsAreFree()
        try directory.make("log")
        keepLogsSmall()

        let databaseURL = try await startDatabase()
        for (index, relay) in settings.relays.enumerated() {
            try await keep(try RelayProcess.process(relay, number: index + 1, host: settings.host))
        }
        let environment = settings.environment(databaseURL: databaseURL)
        try PrivateFile.write(EnvironmentFile.text(environment), to: directory.file(EnvironmentFile.name))
        let backend = try await connect(databaseURL)
        self.backend = backend
        try await backend.migrate()
        for name in ServiceProcess.names {
            for number in 1...(name == "calls" ? settings.callsInstances : 1) {
                try await keep(
                    try ServiceProcess.process(
                        name, number: number, folder: executables, environment: environment, drain: settings.drain,
                        isReady: { process in await backend.isReady(name, process) }))
            }
        }
    }

    /// Ends everything in reverse order, each part within its limits.
    func stop() async {
        let isRunning = !keepers.isEmpty
        if isRunning {
            report(
                UpReport(
                    "stopping",
                    "Stopping; what the services are doing gets \(settings.drain.secondsText) at most. "
                        + "Ctrl-C again ends it at once.",
                    [.init("drainMilliseconds", .number(settings.drain.milliseconds))]))
        }
        for keeper in keepers.reversed() {
            // The connections of this process would hold up PostgreSQL's shutdown.
            if keeper.process.name.hasPrefix("rtpengine") { await stopBackend() }
            let name = keeper.process.name
            let slow = Task { [report] in
                try await Task.sleep(for: .seconds(1))
                report(.process("waiting", name, "is still ending"))
            }
            await keeper.stop()
            slow.cancel()
        }
        keepers = []
        await stopBackend()
        trimming?.cancel()
        if lock != nil { settings.directory.removeOuterSockets() }
        if isRunning { report(UpReport("stopped", "Bellwire has stopped.")) }
        lock = nil
    }

    private func stopBackend() async {
        await backend?.stop()
        backend = nil
    }

    private func startDatabase() async throws -> String {
        if let url = settings.databaseURL { return url }
        let database = try PrivateDatabase(directory: settings.directory, spawner: spawner, log: log("postgres"))
        try await database.prepare()
        try await keep(try database.process())
        return try database.url()
    }

    private func keep(_ process: ManagedProcess) async throws {
        try Task.checkCancellation()
        let keeper = ProcessKeeper(process, spawner: spawner, log: log(process.name), report: report)
        keepers.append(keeper)
        let started = ContinuousClock.now
        try await keeper.start()
        let duration = started.duration(to: .now)
        report(
            .process(
                "ready", process.name, "is ready (\(duration.secondsText))",
                [.init("milliseconds", .number(duration.milliseconds))]))
    }

    /// A predecessor that was just killed may need a moment to let go of its ports.
    private func portsAreFree() async throws {
        var problems: [String] = []
        for _ in 0..<20 {
            problems = settings.ports.compactMap { $0.problem() }
            if problems.isEmpty { return }
            try await Task.sleep(for: .milliseconds(100))
        }
        if let unknown = settings.ports.first(where: \.isForeign) {
            throw ConfigurationError(
                key: (unknown.host == settings.host ? ConfigurationKey.host : .rtpengine).variable,
                problem: "\(unknown.host) is no address of this machine")
        }
        throw StartFailure(description: problems.joined(separator: ". "))
    }

    private func log(_ name: String) -> LogFile {
        let file = LogFile(folder: settings.directory.file("log"), name: name)
        logs.append(file)
        return file
    }

    private func keepLogsSmall() {
        trimming = Task {
            while (try? await Task.sleep(for: .seconds(10))) != nil {
                for log in logs { log.trim() }
            }
        }
    }
}
