/// A place in the event log: which log, and the last position seen. Text form `<incarnation>.<position>`.
public struct ResumeToken: Hashable, Sendable, LosslessStringConvertible {
    /// Changes when the log is made anew, so that a token of another log is recognised.
    public let incarnation: BellwireID
    /// The last position seen; 0 is before the first event.
    public let position: UInt64

    public init(incarnation: BellwireID, position: UInt64) {
        self.incarnation = incarnation
        self.position = position
    }

    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let incarnation = BellwireID(String(parts[0])), let position = UInt64(parts[1]),
            position <= UInt64(Int64.max)
        else { return nil }
        self.init(incarnation: incarnation, position: position)
    }

    public var description: String { "\(incarnation).\(position)" }
}
