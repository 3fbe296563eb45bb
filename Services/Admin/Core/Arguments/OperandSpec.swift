/// One positional argument of a command.
public struct OperandSpec: Sendable, Equatable {
    /// In capitals, as the help shows it.
    public let name: String
    public let summary: String
    public let required: Bool

    public init(_ name: String, _ summary: String, required: Bool = true) {
        self.name = name
        self.summary = summary
        self.required = required
    }

    var heading: String { required ? name : "[\(name)]" }
}
