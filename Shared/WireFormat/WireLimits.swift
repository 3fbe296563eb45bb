/// What a decoder accepts. Messages nest only as deep as their schema: the generator refuses recursive ones.
public enum WireLimits {
    /// The longest message, encoded or as JSON, in bytes.
    public static let maximumBytes = 16 << 20

    /// The most memory that the decoded C form of one message may take, in bytes: two bytes of input can ask for a
    /// hundred.
    public static let maximumDecodedBytes = 64 << 20
}
