import AdminCore
import Foundation

exit(
    await BellwireCommand.run(
        Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
