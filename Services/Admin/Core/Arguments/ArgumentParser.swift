/// Reads a command line against a list of commands; knows nothing of what they do.
public struct ArgumentParser: Sendable {
    /// What a command line asks for.
    public enum Outcome: Sendable, Equatable {
        case run(Invocation)
        case help(String)
    }

    private let commands: [CommandSpec]

    public init(_ commands: [CommandSpec]) {
        self.commands = commands
    }

    /// Options may stand anywhere after the command's name; `--` ends them. A single `-` is an operand.
    /// - Parameter arguments: without the program's own name.
    /// - Throws: `UsageError`.
    public func parse(_ arguments: [String]) throws(UsageError) -> Outcome {
        // Common options may also stand before the command: `bellwire --json status`.
        var leading: [String] = []
        var rest = arguments[...]
        if rest.first == "-h" { rest = ["help"] + rest.dropFirst() }
        while let first = rest.first, first.hasPrefix("--"), let option = Self.commonOption(first) {
            leading.append(rest.removeFirst())
            if option.value != nil, !first.contains("=") {
                guard let value = rest.popFirst() else { throw overviewError("\(first) needs a value") }
                leading.append(value)
            }
        }
        if rest.first == "--version" { rest = ["version"] + rest.dropFirst() }
        if rest.first == "help" { return try help(rest.dropFirst(), leading: leading) }
        guard let command = longestMatch(rest) else { return try overview(rest, leading: leading) }
        return try parse(leading + rest.dropFirst(command.path.count), of: command)
    }

    private static func commonOption(_ argument: String) -> OptionSpec? {
        let name = argument.dropFirst(2).prefix { $0 != "=" }
        return CommandSpec.common.first { $0.name == name }
    }

    /// `help COMMAND`: as `COMMAND --help`.
    private func help(_ words: ArraySlice<String>, leading: [String]) throws(UsageError) -> Outcome {
        let words = words.filter { $0 != "--json" }
        guard let command = commands.first(where: { $0.path == words }) else {
            return try overview(words + ["--help"], leading: leading)
        }
        return .help(HelpText.help(for: command))
    }

    private func longestMatch(_ words: ArraySlice<String>) -> CommandSpec? {
        commands.filter { words.starts(with: $0.path) }.max { $0.path.count < $1.path.count }
    }

    private func overview(_ words: ArraySlice<String>, leading: [String]) throws(UsageError) -> Outcome {
        var prefix: [String] = []
        for word in words {
            guard commands.contains(where: { $0.path.starts(with: prefix + [word]) }) else { break }
            prefix.append(word)
        }
        let remaining = words.dropFirst(prefix.count)
        if leading.contains("--help") || ["--help", "-h"].contains(remaining.first) {
            return .help(HelpText.overview(of: commands, prefix: prefix))
        }
        guard let unknown = remaining.first else {
            throw overviewError(
                prefix.isEmpty ? "no command given" : "\(prefix.joined(separator: " ")): which command of it?", prefix)
        }
        throw overviewError("unknown command or option: \((prefix + [unknown]).joined(separator: " "))", prefix)
    }

    private func overviewError(_ message: String, _ prefix: [String] = []) -> UsageError {
        UsageError(message, usage: HelpText.overview(of: commands, prefix: prefix))
    }

    private func parse(_ arguments: [String], of command: CommandSpec) throws(UsageError) -> Outcome {
        func wrong(_ message: String) -> UsageError { UsageError(message, usage: HelpText.usage(of: command)) }

        var words: [String] = []
        var values: [String: String] = [:]
        var flags: Set<String> = []
        var rest = arguments[...]
        var optionsEnded = false
        while let word = rest.popFirst() {
            if !optionsEnded, word == "--" {
                optionsEnded = true
            } else if !optionsEnded, word.hasPrefix("-"), word != "-" {
                let parts = (word == "-h" ? "help" : word.dropFirst(2)).split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let given = parts.first.map(String.init) ?? ""
                guard word.hasPrefix("--") || word == "-h",
                    let option = command.allOptions.first(where: { $0.name == given || $0.formerName == given })
                else { throw wrong("unknown option: \(word)") }
                let name = option.name
                if option.value == nil {
                    guard parts.count == 1 else { throw wrong("--\(name) takes no value") }
                    flags.insert(name)
                } else {
                    guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
                        throw wrong("--\(name) needs a value")
                    }
                    guard !value.isEmpty || option.mayBeEmpty else { throw wrong("--\(name) must not be empty") }
                    if !value.isEmpty, let problem = option.rule.problem(of: value) {
                        throw wrong("--\(name) \(problem)")
                    }
                    guard values.updateValue(value, forKey: name) == nil else { throw wrong("--\(name) given twice") }
                }
            } else {
                words.append(word)
            }
        }
        if flags.contains("help") { return .help(HelpText.help(for: command)) }

        var operands: [String: String] = [:]
        for operand in command.operands {
            if words.isEmpty {
                guard !operand.required else { throw wrong("\(operand.name) is missing") }
            } else {
                operands[operand.name] = words.removeFirst()
                guard operands[operand.name] != "" else { throw wrong("\(operand.name) must not be empty") }
            }
        }
        guard words.isEmpty else { throw wrong("unexpected: \(words.joined(separator: " "))") }
        for option in command.options where option.required && values[option.name] == nil {
            throw wrong("--\(option.name) is missing")
        }
        guard command.atLeastOne.isEmpty || command.atLeastOne.contains(where: { values[$0] != nil }) else {
            throw wrong(
                "there is nothing to do without \(command.atLeastOne.map { "--" + $0 }.joined(separator: ", or "))")
        }
        for option in command.options where values[option.name] != nil {
            guard let needed = option.needed, values[needed] == nil else { continue }
            throw wrong("--\(option.name) has no effect without --\(needed)")
        }
        return .run(Invocation(command: command, operands: operands, values: values, flags: flags))
    }
}
