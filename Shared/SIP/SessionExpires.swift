/// The Session-Expires header (RFC 4028 section 4).
public struct SessionExpires: Hashable, Sendable {
    public enum Refresher: String, Sendable { case uac, uas }

    /// Whole seconds.
    public var interval: UInt32
    /// Nil where the header leaves it open.
    public var refresher: Refresher?

    public init(interval: UInt32, refresher: Refresher? = nil) {
        self.interval = interval
        self.refresher = refresher
    }

    /// Parses a header value; nil when malformed. Parameters other than `refresher` are ignored, and so is a refresher that
    /// nobody knows.
    public init?(_ text: String) {
        let pieces = text.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmedOfBlanks)
        guard let interval = pieces.first.flatMap(deltaSeconds) else { return nil }
        self.interval = interval
        for piece in pieces.dropFirst() {
            let sides = piece.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                \.trimmedOfBlanks)
            guard sides.count == 2, sides[0].lowercased() == "refresher" else { continue }
            refresher = Refresher(rawValue: sides[1].lowercased())
        }
    }

    /// The header value on the wire.
    public var text: String { "\(interval)" + (refresher.map { ";refresher=\($0.rawValue)" } ?? "") }

    /// The value of a Min-SE header; nil when malformed.
    package static func minimum(_ text: String) -> UInt32? {
        text.split(separator: ";", omittingEmptySubsequences: false).first.map(\.trimmedOfBlanks).flatMap(deltaSeconds)
    }
}

/// What does not fit is as long as can be said (RFC 3261 section 25.1, delta-seconds).
private func deltaSeconds(_ text: Substring) -> UInt32? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt32(text) ?? .max
}

extension Substring {
    /// Without spaces and tabs at both ends.
    fileprivate var trimmedOfBlanks: Substring {
        var rest = self
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}
