/// When a message ends by itself.
struct RecordingLimits: Sendable, Equatable {
    /// The longest message.
    var maximum: Duration = .seconds(180)
    /// So much received silence ends it.
    var silence: Duration = .seconds(10)
    /// So long without any packet ends it.
    var noMedia: Duration = .seconds(30)
}

/// How a recording came to its end.
enum RecordingEnd: String, Sendable, CaseIterable, Codable {
    case hangup
    case key
    case silence
    case limit
    case noMedia = "no_media"
    case failure
    /// The process died; found at the next start.
    case crash
}
