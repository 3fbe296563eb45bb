/// The texts of `--help`.
public enum HelpText {
    /// `usage: bellwire record list [--owner USER] ...`.
    public static func usage(of command: CommandSpec) -> String {
        var words = ["usage: bellwire"] + command.path
        words += command.operands.map(\.heading)
        words += command.options.map { $0.required ? $0.heading : "[\($0.heading)]" }
        words.append("[--json]")
        return words.joined(separator: " ")
    }

    /// Everything about one command.
    public static func help(for command: CommandSpec) -> String {
        var text = usage(of: command) + "\n\n" + command.summary + ".\n"
        let operands = command.operands.map { ($0.name, $0.summary) }
        let options = command.allOptions.map { ($0.heading, $0.summary) }
        text += "\n" + columns(operands + options)
        text +=
            "\nExample: "
            + (["bellwire"] + command.path + [command.example].filter { !$0.isEmpty })
            .joined(separator: " ") + "\n"
        if !command.discussion.isEmpty { text += "\n" + command.discussion + "\n" }
        return text
    }

    /// The commands whose path starts with `prefix`.
    public static func overview(of commands: [CommandSpec], prefix: [String] = []) -> String {
        let listed = commands.filter { $0.path.starts(with: prefix) }
        var text = "usage: bellwire " + (prefix + ["COMMAND"]).joined(separator: " ") + " [--json] [--help]\n\n"
        text += columns(
            listed.map { command in
                ((command.path + command.operands.map(\.heading)).joined(separator: " "), command.summary)
            })
        text += """

            `bellwire help COMMAND` tells more of one. --json gives one object a line; an error is then an object on standard
            error: {"error":{"code":...,"message":...,"exitStatus":...}}.

            Exit status: 0 done, also when Ctrl-C ends what runs until then; 1 refused or failed; 64 wrong usage; 69 a service
            cannot be reached; 74 the output cannot be written; 78 wrong configuration.

            """
        return text
    }

    private static func columns(_ rows: [(String, String)]) -> String {
        let width = min(rows.map(\.0.count).max() ?? 0, 36)
        return rows.map { left, right in
            let padding = String(repeating: " ", count: max(0, width - left.count))
            return "  \(left)\(padding)  \(right)\n"
        }.joined()
    }
}
