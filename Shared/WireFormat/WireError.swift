/// Why bytes or JSON are not the message they should be. Never carries values.
public enum WireError: Error, Sendable, Equatable {
    /// The bytes are no valid protobuf encoding of the message.
    case malformed
    /// A string field does not hold UTF-8.
    case invalidText
    /// Larger than any message may be.
    case tooLarge
    /// Nested more deeply than any message may be.
    case tooDeep
    /// The JSON is not proto3 JSON of the message; names the field's path where known.
    case invalidJSON(path: String)
}
