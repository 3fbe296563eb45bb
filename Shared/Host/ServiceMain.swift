import Bus
import Foundation
import Glibc
import RPC
import Runtime
import Store

/// The entry of every service executable.
public enum ServiceMain {
    /// Reads the command line and the configuration, builds the host and the service's parts, runs them, and ends the
    /// process: 0 after an orderly stop, 78 for wrong configuration, 64 for a wrong command line, 1 otherwise.
    public static func run(
        _ service: String, slots: Bool = false, _ build: @Sendable (ServiceHost) async throws -> ServiceParts
    ) async -> Never {
        do {
            let stopRequest = try StopRequest(watchingSignals: true)
            let host = try ServiceHost(
                service: service, slots: slots, configuration: try configuration(service), stopRequest: stopRequest)
            let parts = try await build(host)
            exit(await run(host, parts, stopRequest))
        } catch let error as ConfigurationError {
            end(service, "\(error)", ExitStatus.configuration)
        } catch let error as UsageError {
            end(service, error.text, ExitStatus.usage)
        } catch {
            end(service, "cannot start: \(error)", ExitStatus.failure)
        }
    }

    private static func run(_ host: ServiceHost, _ parts: ServiceParts, _ stopRequest: StopRequest) async -> Int32 {
        let runner = ServiceRunner(logger: host.logger, stopRequest: stopRequest, drain: host.drain)
        let started = ReadinessCheck("start") { runner.isRunning || stopRequest.isRequested }
        let status = RuntimeHandler(host: host, checks: parts.checks + [started], stopRequest: stopRequest)
        let server = RPCServer(
            service: "\(host.service)/\(host.instance)", address: host.listening.rpc,
            handlers: parts.handlers + [status], logger: host.logger, counters: host.counters,
            curve: host.listening.serverCurve)
        host.listening.warn(host.service, host.logger)
        if let handler = parts.slotHandler { host.membership.setSlotHandler(handler, slots: parts.slots) }
        let ground: [any Component] = [
            PatientDatabase(database: host.database, logger: host.logger, stopRequest: stopRequest), host.client,
            server, host.membership, host.events,
        ]
        return await runner.run(ground + parts.components)
    }

    private struct UsageError: Error { let text: String }

    private static func configuration(_ service: String) throws -> Configuration {
        var arguments = CommandLine.arguments.dropFirst()
        var file: [String: String] = [:]
        while let argument = arguments.popFirst() {
            switch argument {
            case "--config":
                guard let path = arguments.popFirst() else { throw UsageError(text: "--config wants a file") }
                file = try Configuration.read(path: path)
            case "--version":
                print(Version.current)
                exit(ExitStatus.success)
            case "--help":
                print("bellwire-\(service) [--config FILE] [--version]\nKeys of the file and the environment:")
                for key in ConfigurationKey.allCases { print("  \(key.variable)") }
                exit(ExitStatus.success)
            default: throw UsageError(text: "unknown argument \(argument); see --help")
            }
        }
        return try Configuration(environment: ProcessInfo.processInfo.environment, file: file)
    }

    private static func end(_ service: String, _ text: String, _ status: Int32) -> Never {
        FileHandle.standardError.write(Data("bellwire-\(service): \(text)\n".utf8))
        exit(status)
    }
}
