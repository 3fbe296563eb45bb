import Runtime

enum VersionCommand {
    static let command = Command(
        CommandSpec("version", "Show the version of this program; also `bellwire --version`")
    ) { session in
        if session.output.json {
            try session.output.line(.object([.init("version", .string(Version.current))]))
        } else {
            try session.output.write("bellwire \(Version.current)\n")
        }
        return ExitStatus.success
    }
}
