import Foundation
import RPC
import Runtime

/// The `bellwire` program: reads the command line, runs the command, turns what went wrong into an exit status.
public enum BellwireCommand {
    /// - Parameter arguments: without the program's own name.
    /// - Returns: an `ExitStatus`.
    public static func run(_ arguments: [String], environment: [String: String]) async -> Int32 {
        let commands = CommandCatalog.all
        let output = Output(json: arguments.contains("--json"))
        do {
            switch try ArgumentParser(commands.map(\.spec)).parse(arguments) {
            case .help(let text):
                try output.write(text)
                return ExitStatus.success
            case .run(let invocation):
                guard let command = commands.first(where: { $0.spec == invocation.command }) else {
                    return ExitStatus.usage
                }
                // A system that is about to be started must not take another's run for its configuration.
                let configuration = try CommandSession.configuration(
                    path: invocation.values["config"], environment: environment,
                    searching: command.spec != UpCommand.command.spec)
                return try await command.run(
                    CommandSession(invocation: invocation, output: output, configuration: configuration))
            }
        } catch {
            return status(of: error, on: output)
        }
    }

    private static func status(of error: any Error, on output: Output) -> Int32 {
        switch error {
        case let error as UsageError:
            output.note(error.message + (error.usage.isEmpty ? "" : "\n" + error.usage))
            return ExitStatus.usage
        case let error as ConfigurationError:
            output.note(error.description)
            return ExitStatus.configuration
        case let error as RPCError:
            output.note(error.description)
            return error.exitStatus
        case let error as Unreachable:
            output.note(error.description)
            return ExitStatus.unavailable
        case is OutputClosed:
            return ExitStatus.success
        default:
            output.note("\(error)")
            return ExitStatus.failure
        }
    }
}
