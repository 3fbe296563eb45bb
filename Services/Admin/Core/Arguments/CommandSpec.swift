/// What a command is called and what it takes.
public struct CommandSpec: Sendable, Equatable {
    /// `["record", "list"]` for `bellwire record list`.
    public let path: [String]
    public let summary: String
    public let operands: [OperandSpec]
    public let options: [OptionSpec]
    /// Options of which at least one must be given; none: there are no such.
    public let atLeastOne: [String]
    /// More for `--help`, below the list of options.
    public let discussion: String

    /// What follows the path in an example of its use.
    public let example: String

    public init(
        _ path: String, _ summary: String, operands: [OperandSpec] = [], options: [OptionSpec] = [],
        atLeastOne: [String] = [], discussion: String = "", example: String = ""
    ) {
        self.path = path.split(separator: " ").map(String.init)
        self.summary = summary
        self.operands = operands
        self.options = options
        self.atLeastOne = atLeastOne
        self.discussion = discussion
        self.example = example
    }

    /// What every command takes.
    public static let common: [OptionSpec] = [
        .flag("json", "One JSON object a line, errors too"),
        .value(
            "config", "FILE", "Read BELLWIRE_* keys from FILE (default: .run/bellwire.env, /etc/bellwire/bellwire.env)"),
        .flag("help", "Show this help"),
    ]

    var allOptions: [OptionSpec] { options + CommandSpec.common }
}
