package import Media

/// Takes what audio a message leaves behind.
package protocol MessageSink {
    /// Appends silence and then samples; false when it can take no more.
    mutating func append(silence: Int, samples: Span<Int16>) -> Bool
}

/// Makes one continuous message of the packets that arrive: reordered, gaps filled, ended by silence or the limits. Time is
/// passed in; nothing is allocated after `init`.
package struct MessageRecorder {
    static let hold = Duration.milliseconds(200)

    private let codec: AudioCodec
    private let limits: RecordingLimits
    private let decoder: AudioDecoder
    private let started: Duration
    private var buffer = JitterBuffer(hold: hold)
    private var timeline: RecordingTimeline
    private var meter: SilenceMeter
    private var samples: [Int16]
    private var lastPacket: Duration
    private var firstAudio: Duration?
    /// What the sink has been given, in samples.
    package private(set) var writtenSamples = 0
    package private(set) var end: RecordingEnd?

    /// - Parameter now: the end of the beep.
    package init(decoder: AudioDecoder, limits: RecordingLimits, now: Duration) {
        codec = decoder.codec
        self.decoder = decoder
        self.limits = limits
        started = now
        lastPacket = now
        timeline = RecordingTimeline(clockRate: decoder.codec.clockRate)
        meter = SilenceMeter(clockRate: decoder.codec.clockRate)
        samples = [Int16](repeating: 0, count: AudioDecoder.maximumSamples(decoder.codec))
    }

    /// The message so far.
    package var length: Duration { .seconds(1) * Double(writtenSamples) / Double(codec.sampleRate) }

    /// Takes a packet of the codec's payload type.
    package mutating func receive(
        _ header: RTPHeader, payload: Span<UInt8>, now: Duration, sink: inout some MessageSink
    ) {
        guard end == nil else { return }
        lastPacket = now
        if firstAudio == nil { firstAudio = now }
        if buffer.isFull { release(now: now, flushing: false, sink: &sink) }
        _ = buffer.insert(header, payload: payload, arrival: now)
    }

    /// Any other packet of the sender, an event for one: it is still there.
    package mutating func noteAlive(now: Duration) {
        lastPacket = now
    }

    /// Moves on what has waited long enough, and ends the message when it is time.
    package mutating func advance(now: Duration, sink: inout some MessageSink) {
        guard end == nil else { return }
        release(now: now, flushing: false, sink: &sink)
        guard end == nil else { return }
        if now - lastPacket >= limits.noMedia {
            finish(.noMedia, now: now, sink: &sink)
        } else if let firstAudio, now - firstAudio >= limits.maximum + Self.hold + .seconds(1) {
            finish(.limit, now: now, sink: &sink)
        }
    }

    /// Ends the message with all that has arrived.
    package mutating func finish(_ reason: RecordingEnd, now: Duration, sink: inout some MessageSink) {
        guard end == nil else { return }
        release(now: now, flushing: true, sink: &sink)
        if end == nil { end = reason }
    }

    private mutating func release(now: Duration, flushing: Bool, sink: inout some MessageSink) {
        while end == nil, let packet = buffer.next(now: now, flushing: flushing) {
            append(packet, sink: &sink)
        }
    }

    private mutating func append(_ packet: JitterBuffer.Packet, sink: inout some MessageSink) {
        let decoded = buffer.withPayload(of: packet) { decoder.decode($0, into: &samples) }
        // What is no audio of the codec leaves a gap, like a packet that was lost.
        guard let count = decoded else { return }
        let duration = count * codec.ticksPerSample
        let before = timeline.length
        let arrival = undelayedArrival(of: packet)
        let placement = timeline.place(
            generation: packet.generation, timestamp: packet.timestamp, duration: duration, arrival: arrival)
        guard case .append(let silence) = placement else { return }
        write(count: count, before: before, silence: silence, sink: &sink)
        guard end == nil else { return }
        let isSilent = SilenceMeter.isSilent(samples.span.extracting(0..<count))
        let silent = meter.note(isSilent: isSilent, gap: silence, duration: duration, end: timeline.length)
        if silent >= RecordingTimeline.ticks(limits.silence, codec.clockRate) { end = .silence }
    }

    /// Gives silence and samples to the sink, no more than the limit allows.
    private mutating func write(count: Int, before: Int, silence: Int, sink: inout some MessageSink) {
        let maximum = RecordingTimeline.ticks(limits.maximum, codec.clockRate) / codec.ticksPerSample
        let audioStart = min((before + silence) / codec.ticksPerSample, maximum)
        let silentSamples = max(0, audioStart - writtenSamples)
        let audible = min(count, maximum - audioStart)
        guard sink.append(silence: silentSamples, samples: samples.span.extracting(0..<max(0, audible))) else {
            end = .failure
            return
        }
        writtenSamples += silentSamples + max(0, audible)
        if writtenSamples >= maximum { end = .limit }
    }

    /// When a packet would have come had it not been held up, in ticks, judged by those behind it in the buffer.
    private func undelayedArrival(of packet: JitterBuffer.Packet) -> Int {
        let clockRate = codec.clockRate
        var least = RecordingTimeline.ticks(packet.arrival, clockRate)
        buffer.forEachWaiting { other in
            let distance = Int(Int32(bitPattern: other.timestamp &- packet.timestamp))
            guard other.generation == packet.generation, abs(distance) <= clockRate else { return }
            least = min(least, RecordingTimeline.ticks(other.arrival, clockRate) - distance)
        }
        return least
    }
}
