import Foundation

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

    /// The value of an option whose rule asks for a number; nil when it was not given.
    public func number(_ option: String) -> UInt32? { values[option].flatMap { UInt32($0) } }

    /// The values of an option whose rule asks for a list; none when it was not given.
    public func list(_ option: String) -> [String] {
        text(option).split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// A usage error of this command.
    public func wrong(_ message: String) -> UsageError {
        UsageError(message, usage: HelpText.usage(of: command))
    }
}
