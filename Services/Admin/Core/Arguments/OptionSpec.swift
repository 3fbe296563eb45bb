/// One `--option` of a command.
public struct OptionSpec: Sendable, Equatable {
    /// Without the dashes.
    public let name: String
    /// What the help calls the value; nil for a flag, which takes none.
    public let value: String?
    public let summary: String
    public let rule: ValueRule
    public let required: Bool
    /// Whether an empty value means the same as none. Elsewhere it is refused: it is a script's variable that was not set,
    /// and `--owner ""` must not show everybody's.
    public let mayBeEmpty: Bool
    /// A former name, still understood.
    public let formerName: String?
    /// The option without which this one would have no effect.
    public let needed: String?

    /// An option that takes a value: `--name VALUE` or `--name=VALUE`.
    public static func value(
        _ name: String, _ value: String, _ summary: String, _ rule: ValueRule = .text, required: Bool = false,
        mayBeEmpty: Bool = false, formerName: String? = nil, needs needed: String? = nil
    ) -> OptionSpec {
        OptionSpec(
            name: name, value: value, summary: summary, rule: rule, required: required, mayBeEmpty: mayBeEmpty,
            formerName: formerName, needed: needed)
    }

    /// An option that is there or not.
    public static func flag(_ name: String, _ summary: String) -> OptionSpec {
        OptionSpec(
            name: name, value: nil, summary: summary, rule: .text, required: false, mayBeEmpty: false,
            formerName: nil, needed: nil)
    }

    var heading: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }
}
