/// Why bytes or JSON could not be read as a message. Never carries a value of the input.
public enum WireError: Error, Sendable, Equatable {
    /// The input is longer than allowed.
    case tooLarge(bytes: Int, limit: Int)
    /// Not the protobuf encoding of this message: cut short, a wrong wire type, or needing too much memory.
    case malformed
    /// A text field is not UTF-8, or contains U+0000.
    case invalidText
    /// The JSON does not fit the message; `path` names the field (`calls[0].state`), empty for the whole.
    case json(path: String, reason: String)
}
