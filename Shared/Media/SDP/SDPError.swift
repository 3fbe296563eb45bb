/// Why a description could not be used. Carries no text of it: addresses stay out of logs.
public enum SDPError: Error, Sendable, Equatable {
    case tooLarge
    /// The line, counted from 1, that breaks RFC 8866.
    case malformedLine(Int)
    /// No `o=`, or no `v=0` at the start.
    case incomplete
}
