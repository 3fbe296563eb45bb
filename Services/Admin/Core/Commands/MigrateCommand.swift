import Runtime
import Store

enum MigrateCommand {
    static let command = Command(
        CommandSpec(
            "migrate", "Bring the database to this version's tables",
            discussion: "Applies what is missing, in order; safe to run again and from several machines at once.")
    ) { session in
        guard let url = session.configuration.string(.databaseURL) else {
            throw ConfigurationError(key: ConfigurationKey.databaseURL.variable, problem: "is required")
        }
        let applied: [String]
        do {
            applied = try await Migrator.migrate(url: url, logger: try session.logger)
        } catch StoreError.unreachable {
            throw Unreachable("the database cannot be reached")
        }
        for name in applied {
            if session.output.json {
                try session.output.line(.object([.init("applied", .string(name))]))
            } else {
                try session.output.write("applied \(name)\n")
            }
        }
        if applied.isEmpty && !session.output.json { try session.output.write("nothing to do\n") }
        return ExitStatus.success
    }
}
