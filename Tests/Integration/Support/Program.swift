import Foundation
import Glibc
import Runtime

/// A program that a test started; it ends with the test process at the latest.
final class Program: Sendable {
    struct Output: Sendable {
        let status: Int32
        let standardOutput: String
        let standardError: String
    }

    let child: ChildProcess
    private let outputPath: String
    private let errorPath: String

    private static let spawner = try! ChildSpawner()

    /// The folder of the executables under test: the one that holds the test bundle, or the one that `PRODUCTS` names.
    static let products =
        ProcessInfo.processInfo.environment["PRODUCTS"].map { URL(fileURLWithPath: $0) }
        ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    static func product(_ name: String) -> String { products.appendingPathComponent(name).path }

    /// Starts a program with its output in files of `folder`.
    static func start(
        _ executable: String, _ arguments: [String] = [], environment: [String: String] = [:], in folder: Folder,
        name: String, deathSignal: Int32 = SIGKILL
    ) async throws -> Program {
        let output = folder.file("\(name).out")
        let error = folder.file("\(name).err")
        var request = ChildProcessRequest(
            executable: executable, arguments: arguments, environment: Program.environment(adding: environment),
            directory: folder.path)
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let outputDescriptor = open(output, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        let errorDescriptor = open(error, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { for number in [input, outputDescriptor, errorDescriptor] { close(number) } }
        request.standardInput = input
        request.standardOutput = outputDescriptor
        request.standardError = errorDescriptor
        request.deathSignal = deathSignal
        return Program(child: try await spawner.spawn(request), outputPath: output, errorPath: error)
    }

    private init(child: ChildProcess, outputPath: String, errorPath: String) {
        self.child = child
        self.outputPath = outputPath
        self.errorPath = errorPath
    }

    /// Only what a program needs: no `BELLWIRE_*` of the machine that tests.
    private static func environment(adding more: [String: String]) -> [String: String] {
        var environment: [String: String] = [:]
        for key in ["PATH", "HOME", "LANG", "USER", "TZ"] {
            environment[key] = ProcessInfo.processInfo.environment[key]
        }
        return environment.merging(more) { $1 }
    }

    var standardOutput: String { text(outputPath) }
    var standardError: String { text(errorPath) }

    private func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    /// Waits for its end; a program that does not end within `limit` is killed, and the status says so.
    func finish(within limit: Duration = .seconds(120)) async -> Output {
        let watchdog = Task { [child] in
            try await Task.sleep(for: limit)
            child.signal(SIGKILL)
        }
        let status = await child.exitStatus
        watchdog.cancel()
        return Output(status: status, standardOutput: standardOutput, standardError: standardError)
    }
}

/// A folder of a test, removed with it. Its path is short: sockets lie below it.
final class Folder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/bw-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else { throw SystemError("mkdtemp") }
        path = String(cString: made)
        // Programs that a root's test runs as another user pass through.
        chmod(path, 0o755)
    }

    deinit { remove() }

    func remove() {
        if ProcessInfo.processInfo.environment["KEEP_TEST_FOLDERS"] == nil {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    func file(_ name: String) -> String { path + "/" + name }
}
