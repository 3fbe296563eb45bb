import Foundation
import RPC
import Runtime

/// The `bellwire` program: reads the command line, runs the command, turns what went wrong into an exit status.
public enum BellwireCommand {
    /// - Parameter arguments: without the program's own name.
    /// - Returns: an `ExitStatus`.
    public static func run(_ arguments: [String], environment: [String: String]) async -> Int32 {
        StandardStreams.prepare()
        let json = arguments.prefix { $0 != "--" }.contains("--json")
        return await run(arguments, environment: environment, output: Output(json: json))
    }

    /// - Parameter output: of the kind that the arguments ask for.
    package static func run(_ arguments: [String], environment: [String: String], output: Output) async -> Int32 {
        let commands = CommandCatalog.all
        do {
            switch try ArgumentParser(commands.map(\.spec)).parse(arguments) {
            case .help(let text):
                try output.json ? output.line(.object([.init("help", .string(text))])) : output.write(text)
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
        } catch is OutputClosed {
            return ExitStatus.success
        } catch {
            let complaint = Complaint(error)
            output.complain(complaint)
            return complaint.exitStatus
        }
    }
}
