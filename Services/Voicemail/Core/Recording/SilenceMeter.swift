import Media

/// Tells how long what was received has been silent. Packets that carry silence count, their absence does not: a gap between
/// them counts only while it is as short as those of discontinuous transmission, or where comfort noise announced it.
package struct SilenceMeter: Sendable {
    /// The root mean square below which audio is silence: -50 dB of full scale, over the noise of a telephone line.
    static let threshold = 104
    /// The longest gap of a sender that sends its silence now and then.
    static let longestGap = Duration.seconds(1)

    private let clockRate: Int
    private var start: Int?
    private var isAnnounced = false

    package init(clockRate: Int) {
        self.clockRate = clockRate
    }

    /// Notes a packet: how long the silence that it ends with has lasted, in ticks.
    /// - Parameters:
    ///   - gap: ticks without packets before it.
    ///   - end: where in the message it ends.
    ///   - announcesMore: it is comfort noise: the caller stays silent until its next audio.
    package mutating func note(isSilent: Bool, gap: Int, duration: Int, end: Int, announcesMore: Bool = false) -> Int {
        guard isSilent else {
            interrupt()
            return 0
        }
        let begin = end - duration
        var from = start ?? begin
        if !isAnnounced, gap > RecordingTimeline.ticks(Self.longestGap, clockRate) { from += gap }
        start = from
        isAnnounced = announcesMore
        return end - from
    }

    /// The caller was heard.
    package mutating func interrupt() {
        start = nil
        isAnnounced = false
    }

    package static func isSilent(_ samples: Span<Int16>) -> Bool {
        var energy = 0
        for index in 0..<samples.count { energy += Int(samples[index]) * Int(samples[index]) }
        return energy <= threshold * threshold * samples.count
    }
}
