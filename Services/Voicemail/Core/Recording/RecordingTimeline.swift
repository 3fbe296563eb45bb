/// Decides where in a message each packet's audio belongs: a pure value, counted in ticks of the RTP clock.
///
/// The sender's timestamps rule: what they skip becomes silence. The wall clock decides where they cannot be believed:
/// - they stand still over a pause (some senders stop their clock while they are silent),
/// - they jump ahead of the time that has passed, or back,
/// - the stream begins anew: another SSRC, another place in the sequence.
///
/// The wall clock is compared by transit offset, arrival minus timestamp. A single packet's offset says little, as any packet
/// may be held up; the least offset of the packets seen within the jitter buffer's hold is that of one that was not.
package struct RecordingTimeline: Sendable {
    /// What to do with a packet in its turn.
    package enum Placement: Sendable, Equatable {
        /// Append this much silence, then the packet.
        case append(silence: Int)
        /// Its time is taken up by audio that is there already.
        case drop
    }

    private struct Stream {
        var generation: Int
        /// Where the next packet's timestamp is expected, without wrap-around.
        var end: Int
        /// The transit offset of a packet that was not held up.
        var offset: Int
    }

    /// A rise of the offset beyond this is a pause in which the sender's clock stood still.
    static let pauseThreshold = Duration.milliseconds(250)
    /// A fall of the offset beyond this is a timestamp that jumped ahead.
    static let jumpThreshold = Duration.seconds(1)
    /// Two streams that follow one another this closely leave no gap.
    static let seamThreshold = Duration.milliseconds(40)
    /// More overlap than this between two streams is doubled audio.
    static let overlapThreshold = Duration.milliseconds(500)

    let clockRate: Int
    private var stream: Stream?
    /// How far seams without a gap have brought the message before the wall clock, in ticks; else streams that take turns
    /// would make it longer than the call.
    private var ahead = 0
    /// The message so far, in ticks.
    package private(set) var length = 0

    package init(clockRate: Int) {
        self.clockRate = clockRate
    }

    /// Places a packet.
    /// - Parameters:
    ///   - duration: of its audio, in ticks.
    ///   - arrival: in ticks, when it would have come had it not been held up: the least of the arrivals of the packets near
    ///     it, each less its distance from this packet by timestamp.
    package mutating func place(generation: Int, timestamp: UInt32, duration: Int, arrival: Int) -> Placement {
        let fresh = Stream(
            generation: generation, end: Int(timestamp) + duration, offset: arrival - Int(timestamp))
        guard var stream else {
            stream = fresh
            length += duration
            return .append(silence: 0)
        }
        let silence: Int
        if stream.generation == generation, let gap = gap(of: stream, timestamp, arrival: arrival) {
            silence = gap.byTimestamp + gap.stoodStill
            stream.end += gap.byTimestamp + duration
            stream.offset = gap.offset
            self.stream = stream
        } else {
            // From one clock to another by the time of arrival.
            let pause = arrival - (stream.offset + stream.end) - ahead
            guard pause > -ticks(Self.overlapThreshold) else { return .drop }
            silence = pause < ticks(Self.seamThreshold) ? 0 : pause
            ahead = silence == 0 ? -pause : 0
            self.stream = fresh
        }
        length += silence + duration
        return .append(silence: silence)
    }

    /// The timestamp of a packet that follows without a gap; nil before the first one.
    var expected: UInt32? { stream.map { UInt32(truncatingIfNeeded: $0.end) } }

    /// How far ahead of that a timestamp is, in ticks; nil where the two are not to be compared.
    func step(to timestamp: UInt32, generation: Int) -> Int? {
        guard let stream, stream.generation == generation else { return nil }
        return Int(Int32(bitPattern: timestamp &- UInt32(truncatingIfNeeded: stream.end)))
    }

    private struct Gap {
        var byTimestamp: Int
        var stoodStill: Int
        var offset: Int
    }

    /// The pause before a packet of the same stream; nil when its timestamp cannot be believed.
    private func gap(of stream: Stream, _ timestamp: UInt32, arrival: Int) -> Gap? {
        guard let step = step(to: timestamp, generation: stream.generation), step >= 0 else { return nil }
        let offset = arrival - (stream.end + step)
        let rise = offset - stream.offset
        if step > 0, rise < -ticks(Self.jumpThreshold) { return nil }
        if rise > ticks(Self.pauseThreshold) { return Gap(byTimestamp: step, stoodStill: rise, offset: offset) }
        // A sender whose clock runs slow drifts upwards: follow slowly. Downwards at once: that packet was faster.
        return Gap(byTimestamp: step, stoodStill: 0, offset: rise > 0 ? stream.offset + rise / 64 : offset)
    }

    private func ticks(_ duration: Duration) -> Int { Self.ticks(duration, clockRate) }

    static func ticks(_ duration: Duration, _ clockRate: Int) -> Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * clockRate + Int(attoseconds / 1_000_000_000) * clockRate / 1_000_000_000
    }
}
