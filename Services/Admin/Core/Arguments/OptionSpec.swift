/// One `--option` of a command.
public struct OptionSpec: Sendable, Equatable {
    /// Without the dashes.
    public let name: String
    /// What the help calls the value; nil for a flag, which takes none.
    public let value: String?
    public let summary: String
    public let required: Bool

    /// An option that takes a value: `--name VALUE` or `--name=VALUE`.
    public static func value(
        _ name: String, _ value: String, _ summary: String, required: Bool = false
    ) -> OptionSpec {
        OptionSpec(name: name, value: value, summary: summary, required: required)
    }

    /// An option that is there or not.
    public static func flag(_ name: String, _ summary: String) -> OptionSpec {
        OptionSpec(name: name, value: nil, summary: summary, required: false)
    }

    var heading: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
