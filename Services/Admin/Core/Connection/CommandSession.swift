import Foundation
import Observability
import Runtime
import ZeroMQ

/// What a command works with.
struct CommandSession: Sendable {
    let invocation: Invocation
    let output: Output
    let configuration: Configuration

    /// The configuration of an operator's command: the environment, and a file beneath it.
    /// - Parameter path: `--config`; nil: the environment file of a running `bellwire up`, else that of an installation.
    static func configuration(
        path: String?, environment: [String: String], searching: Bool
    ) throws(ConfigurationError) -> Configuration {
        if let path { return try Configuration(environment: environment, file: try Configuration.read(path: path)) }
        let own = try Configuration(environment: environment)
        guard searching, own.string(.databaseURL) == nil else { return own }
        let run = RunDirectory(own.string(.runDirectory, default: ".run")).file(EnvironmentFile.name)
        // Whoever names a run folder means that one and no other system.
        let others =
            (Self.checkoutRun.map { [$0.file(EnvironmentFile.name)] } ?? []) + ["/etc/bellwire/" + EnvironmentFile.name]
        let candidates = [run] + (own.string(.runDirectory) == nil ? others : [])
        guard let found = candidates.first(where: { FileManager.default.isReadableFile(atPath: $0) }) else {
            return own
        }
        return try Configuration(environment: environment, file: try Configuration.read(path: found))
    }

    /// The run folder beside the build folder that this executable lies in: it is found from anywhere.
    static var checkoutRun: RunDirectory? {
        let checkout = executableFolder.components(separatedBy: "/.build/")
        return checkout.count > 1 ? RunDirectory(checkout[0] + "/.run") : nil
    }

    static var executableFolder: String {
        let path =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        return (path as NSString).deletingLastPathComponent
    }

    var logger: Logger {
        get throws {
            // A command speaks for itself; what its parts log is of interest only when something is wrong.
            Logger(
                service: "cli", instance: "cli", level: try configuration.word(.logLevel, default: LogLevel.error))
        }
    }

    /// Connects, runs the body, disconnects.
    func connected<Value: Sendable>(_ body: (Connection) async throws -> Value) async throws -> Value {
        guard let url = configuration.string(.databaseURL) else {
            throw Unreachable(
                "no running system found: start one with `make run`, or set BELLWIRE_DATABASE_URL or --config")
        }
        let connection = try await Connection(
            databaseURL: url, curve: try CurveCredentials.read(configuration), logger: try logger)
        do {
            let value = try await body(connection)
            await connection.stop()
            return value
        } catch {
            await connection.stop()
            throw error
        }
    }
}
