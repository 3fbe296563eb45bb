/// A command line that fits its command.
public struct Invocation: Sendable, Equatable {
    public let command: CommandSpec
    public let operands: [String: String]
    public let values: [String: String]
    public let flags: Set<String>

    package init(
        command: CommandSpec, operands: [String: String] = [:], values: [String: String] = [:],
        flags: Set<String> = []
    ) {
        self.command = command
        self.operands = operands
        self.values = values
        self.flags = flags
    }

    public var json: Bool { flags.contains("json") }

    /// A required operand, or "" for an optional one left out.
    public func operand(_ name: String) -> String { operands[name] ?? "" }

    public func has(_ flag: String) -> Bool { flags.contains(flag) }

    /// An option's value, or "" when it was not given.
    public func text(_ option: String) -> String { values[option] ?? "" }

    /// - Throws: `UsageError` when the value is not a whole number in `range`.
    public func number(_ option: String, in range: ClosedRange<UInt32> = 0...UInt32.max) throws(UsageError) -> UInt32? {
        guard let text = values[option] else { return nil }
        guard let number = UInt32(text), range.contains(number) else {
            throw wrong("--\(option): must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// - Throws: `UsageError` when the value is none of `choices`.
    public func choice<Value>(_ option: String, _ choices: [(String, Value)]) throws(UsageError) -> Value? {
        guard let text = values[option] else { return nil }
        guard let choice = choices.first(where: { $0.0 == text }) else {
            throw wrong("--\(option): must be one of \(choices.map(\.0).joined(separator: ", "))")
        }
        return choice.1
    }

    /// A usage error of this command.
    public func wrong(_ message: String) -> UsageError {
        UsageError(message, usage: HelpText.usage(of: command))
    }
}
