/// When a message ends by itself.
package struct RecordingLimits: Sendable, Equatable {
    /// The longest message.
    package var maximum: Duration
    /// So much received silence ends it.
    package var silence: Duration
    /// So long without any packet ends it.
    package var noMedia: Duration

    package init(maximum: Duration = .seconds(180), silence: Duration = .seconds(10), noMedia: Duration = .seconds(30))
    {
        self.maximum = maximum
        self.silence = silence
        self.noMedia = noMedia
    }
}

/// How a recording came to its end.
package enum RecordingEnd: String, Sendable, CaseIterable, Codable {
    case hangup
    case key
    case silence
    case limit
    case noMedia = "no_media"
    case failure
    /// The process died; found at the next start.
    case crash
}
