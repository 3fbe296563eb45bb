import Foundation
import Runtime

/// The run folder's own PostgreSQL: reached by a Unix socket only, with a password that stands in a file of the owner.
///
/// PostgreSQL refuses to run as root, and its user may not be able to enter the run folder (a clone under /root). Hence
/// its folders are opened here and handed over as descriptors, which it reaches as `/proc/self/fd/N`: such a path leads
/// straight to the folder, and the permissions of the folders above do not matter.
struct PrivateDatabase: Sendable {
    private let directory: RunDirectory
    private let spawner: ChildSpawner
    private let log: LogFile
    private let account: SystemCalls.Account?

    /// Who owns the database and logs in.
    private static let owner = "bellwire"

    init(directory: RunDirectory, spawner: ChildSpawner, log: LogFile) throws {
        self.directory = directory
        self.spawner = spawner
        self.log = log
        account =
            SystemCalls.isRoot ? SystemCalls.account(named: "postgres") ?? SystemCalls.account(named: "nobody") : nil
        if SystemCalls.isRoot && account == nil {
            throw StartFailure(description: "PostgreSQL does not run as root, and there is no user postgres")
        }
    }

    private var home: String { directory.file("postgres") }
    private var data: String { home + "/data" }
    private var passwordFile: String { home + "/password" }

    /// A connection URI for the owner. Holds the password.
    func url() throws -> String {
        let password = try String(contentsOfFile: passwordFile, encoding: .utf8).trimmingCharacters(in: .newlines)
        var unreserved = CharacterSet.alphanumerics
        unreserved.insert(charactersIn: "-._~")
        let host = try directory.socket("postgres").addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
        return "postgresql://\(Self.owner):\(password)@/\(Self.owner)?host=\(host)"
    }

    /// Makes the cluster unless there is one.
    func prepare() async throws {
        try directory.make("postgres")
        try makeFolder(try directory.socket("postgres"))
        guard !FileManager.default.fileExists(atPath: data + "/PG_VERSION") else { return }
        // Made under another name first: an interrupted initdb leaves nothing that looks like a cluster.
        try checkFreeSpace()
        let unfinished = data + ".new"
        try? FileManager.default.removeItem(atPath: unfinished)
        try makeFolder(unfinished)
        var generator = SystemRandomNumberGenerator()
        let password = (0..<4).map { _ in String(generator.next(), radix: 36) }.joined()
        try PrivateFile.write(password + "\n", to: passwordFile)
        if let account { try SystemCalls.chown(passwordFile, to: account) }

        let programs = try PostgresPrograms.find(cluster: nil)
        let folder = OwnedDescriptor(try SystemCalls.open(unfinished, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        let secret = OwnedDescriptor(try SystemCalls.open(passwordFile, O_RDONLY | O_CLOEXEC))
        try await runToEnd(
            programs.initdb,
            [
                "--pgdata=/proc/self/fd/\(folder.number)", "--pwfile=/proc/self/fd/\(secret.number)",
                "--username=\(Self.owner)", "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C",
                "--no-instructions",
            ], inherited: [folder.number, secret.number])
        try await createDatabase(programs, folder)
        guard unsafe rename(unfinished, data) == 0 else {
            throw StartFailure(description: "cannot rename \(unfinished)")
        }
    }

    /// A new cluster takes 40 MB, and 16 MB for each of the log segments it soon has.
    private func checkFreeSpace() throws(StartFailure) {
        var space = statvfs()
        let wanted: UInt = 256 << 20
        guard unsafe statvfs(home, &space) == 0, UInt(space.f_bavail) * UInt(space.f_frsize) < wanted else { return }
        throw StartFailure(
            description: "\(home) has less than 256 MB free: make room, or name another folder with BELLWIRE_RUN_DIR")
    }

    /// The server, as the supervisor keeps it; after `prepare`.
    func process() throws -> ManagedProcess {
        let folder = OwnedDescriptor(try SystemCalls.open(data, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        let sockets = OwnedDescriptor(
            try SystemCalls.open(try directory.socket("postgres"), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        return ManagedProcess(
            name: "postgres", request: { try await serverRequest(folder, sockets) }, isReady: isReady,
            // Fast shutdown, then immediate.
            stopping: [(SIGINT, .seconds(10)), (SIGQUIT, .seconds(5))])
    }

    private func createDatabase(_ programs: PostgresPrograms, _ folder: OwnedDescriptor) async throws {
        let statement = directory.file("postgres/create.sql")
        try PrivateFile.write("CREATE DATABASE \(Self.owner)\n", to: statement)
        defer { try? FileManager.default.removeItem(atPath: statement) }
        let input = OwnedDescriptor(try SystemCalls.open(statement, O_RDONLY | O_CLOEXEC))
        try await runToEnd(
            programs.postgres, ["--single", "-D", "/proc/self/fd/\(folder.number)", "postgres"],
            inherited: [folder.number], input: input)
    }

    private func runToEnd(
        _ program: String, _ arguments: [String], inherited: [Int32], input: OwnedDescriptor? = nil
    ) async throws {
        var request = request(program, arguments, inherited: inherited)
        let output = try log.open()
        request.standardOutput = output.number
        request.standardError = output.number
        if let input { request.standardInput = input.number }
        request.deathSignal = SIGKILL
        let child = try await spawner.spawn(request)
        let status = await withTaskCancellationHandler {
            await child.exitStatus
        } onCancel: {
            child.signal(SIGKILL)
        }
        try Task.checkCancellation()
        guard status == 0 else {
            throw StartFailure(
                description:
                    "\(program) ended with status \(status): \(log.lastWords); its log is \(log.path)"
            )
        }
    }

    private func request(_ program: String, _ arguments: [String], inherited: [Int32]) -> ChildProcessRequest {
        var request = ChildProcessRequest(
            executable: program, arguments: arguments,
            environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"],
            directory: "/")
        request.user = account.map { ($0.user, $0.group) }
        request.inherited = inherited
        // On SIGQUIT the server ends at once with all its processes; SIGKILL would leave them to find out by themselves.
        request.deathSignal = SIGQUIT
        return request
    }

    private func serverRequest(
        _ folder: OwnedDescriptor, _ sockets: OwnedDescriptor
    ) async throws -> ChildProcessRequest {
        try await predecessorHasEnded()
        let version = try? String(contentsOfFile: data + "/PG_VERSION", encoding: .utf8)
        let programs = try PostgresPrograms.find(
            cluster: version.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) })
        let settings = [
            "listen_addresses=", "unix_socket_directories=/proc/self/fd/\(sockets.number)",
            "unix_socket_permissions=0700",
            "max_connections=200", "timezone=UTC", "log_timezone=UTC", "log_checkpoints=off",
            // Messages of errors quote what a statement held; numbers must not land in the log.
            "log_min_messages=log", "log_min_error_statement=panic", "log_error_verbosity=terse", "log_statement=none",
            "log_parameter_max_length=0", "log_parameter_max_length_on_error=0",
        ]
        return request(
            programs.postgres, ["-D", "/proc/self/fd/\(folder.number)"] + settings.flatMap { ["-c", $0] },
            inherited: [folder.number, sockets.number])
    }

    /// The server writes its state into the eighth line of its pid file.
    private func isReady(_ process: Int32) -> Bool {
        let lines = pidFile()
        return lines.count >= 8 && Int32(lines[0]) == process && lines[7].hasPrefix("ready")
    }

    private func pidFile() -> [Substring] {
        let text = (try? String(contentsOfFile: data + "/postmaster.pid", encoding: .utf8)) ?? ""
        return text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    /// Waits for a server whose supervisor was killed; it is ending. One that does not is told again.
    private func predecessorHasEnded() async throws {
        let started = ContinuousClock.now
        while let line = pidFile().first, let process = Int32(line), isServer(process) {
            let waited = started.duration(to: .now)
            if waited > .seconds(5) { kill(process, waited > .seconds(15) ? SIGKILL : SIGQUIT) }
            if waited > .seconds(20) { throw StartFailure(description: "process \(process) does not leave \(data)") }
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    /// Process ids come back: only one that works in our data folder is our server.
    private func isServer(_ process: Int32) -> Bool {
        let folder = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd")
        return SystemCalls.processExists(process) && folder == resolved(data)
    }

    private func resolved(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    private func makeFolder(_ path: String) throws {
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        if let account { try SystemCalls.chown(path, to: account) }
    }
}
