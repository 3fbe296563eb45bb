/// The command line is wrong: exit 64.
public struct UsageError: Error, Sendable, Equatable {
    public let message: String
    /// The usage of the command as far as it was recognised.
    public let usage: String

    public init(_ message: String, usage: String = "") {
        self.message = message
        self.usage = usage
    }
}
