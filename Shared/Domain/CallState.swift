/// Where a call, or a call record, stands. States only move down this list.
public enum CallState: String, Sendable, CaseIterable, Codable {
    case unknown
    /// The checks are passed.
    case authorized
    /// Waiting for a trunk slot or for a device to wake.
    case queued
    /// The first device rings, or the far side sent 180.
    case ringing
    /// Somebody, not voicemail, answered.
    case answered
    /// Ended after it was answered.
    case completed
    /// Ended before it was answered, or diverted to voicemail.
    case unanswered

    /// No state follows.
    public var isFinal: Bool { self == .completed || self == .unanswered }

    /// Whether a call in this state may go to `next`. Staying is no move.
    public func canMove(to next: CallState) -> Bool {
        switch next {
        case .completed: self == .answered
        case .unanswered: rank < CallState.answered.rank
        default: !isFinal && next.rank > rank
        }
    }

    private var rank: Int {
        switch self {
        case .unknown: 0
        case .authorized: 1
        case .queued: 2
        case .ringing: 3
        case .answered: 4
        case .completed, .unanswered: 5
        }
    }
}

/// Seen from the owner of a call record.
public enum CallDirection: String, Sendable, CaseIterable, Codable {
    case inbound, outbound, unknown
}

/// A party of a call, or Bellwire itself.
public enum CallSide: String, Sendable, CaseIterable, Codable {
    case caller, callee, server
}
