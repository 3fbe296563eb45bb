package import Media

/// Takes what audio a message leaves behind.
package protocol MessageSink {
    /// Appends silence and then samples; false when it can take no more.
    mutating func append(silence: Int, samples: Span<Int16>) -> Bool
}

/// Makes one continuous message of the packets that arrive: reordered, gaps filled, ended by a key, silence or the limits.
///
/// It hears the caller from the start of the call, so that it knows the caller's source and the keys pressed in the greeting;
/// it keeps what arrives after `begin`. Time is passed in, as the time of arrival for packets; nothing is allocated after
/// `init`.
package struct MessageRecorder {
    static let hold = Duration.milliseconds(200)
    /// Ticks further apart than this were missed: what happened meanwhile was not seen.
    static let longestTick = Duration.seconds(1)

    let roles: PayloadRoles
    private let codec: AudioCodec
    private let limits: RecordingLimits
    private let decoder: AudioDecoder
    private var started: Duration?
    var buffer = JitterBuffer(hold: hold)
    var timeline: RecordingTimeline
    private var meter: SilenceMeter
    private var digits = DTMFReceiver()
    private var samples: [Int16]
    private var lastTick: Duration?
    private var lastPacket = Duration.zero
    private var firstAudio: Duration?
    /// Since when the caller has sent nothing but comfort noise.
    private var announcedSilence: Duration?
    /// What the sink has been given, in samples.
    package private(set) var writtenSamples = 0
    package private(set) var end: RecordingEnd?
    /// What was not taken up.
    package private(set) var refused = RefusedPackets()

    package init(decoder: AudioDecoder, roles: PayloadRoles, limits: RecordingLimits) {
        codec = decoder.codec
        self.decoder = decoder
        self.roles = roles
        self.limits = limits
        timeline = RecordingTimeline(clockRate: decoder.codec.clockRate)
        meter = SilenceMeter(clockRate: decoder.codec.clockRate)
        samples = [Int16](repeating: 0, count: AudioDecoder.maximumSamples(decoder.codec))
    }

    /// The message so far.
    package var length: Duration { .seconds(1) * Double(writtenSamples) / Double(codec.sampleRate) }

    /// The beep is over: what arrives from now on belongs to the message.
    package mutating func begin(now: Duration) {
        started = now
        lastPacket = now
    }

    /// Takes a packet of the caller.
    package mutating func receive(
        _ header: RTPHeader, payload: Span<UInt8>, arrival: Duration, sink: inout some MessageSink
    ) {
        guard end == nil else { return }
        // As it would have been, had each packet been taken as it came.
        release(now: arrival, flushing: false, sink: &sink)
        guard end == nil else { return }
        guard let role = roles[header.payloadType] else {
            // A sign of life all the same.
            refused.unknown += 1
            lastPacket = max(lastPacket, arrival)
            return
        }
        switch buffer.insert(header, payload: payload, arrival: arrival) {
        case .queued:
            lastPacket = max(lastPacket, arrival)
            if case .audio = role, started != nil, firstAudio == nil { firstAudio = arrival }
        case .duplicate: break
        case .late: refused.late += 1
        case .oversized: refused.oversized += 1
        case .foreign: refused.foreign += 1
        }
    }

    /// Moves on what has waited long enough, and ends the message when it is time. All that has arrived must have been
    /// received before.
    package mutating func advance(now: Duration, sink: inout some MessageSink) {
        guard end == nil else { return }
        overlookPause(now: now)
        release(now: now, flushing: false, sink: &sink)
        guard end == nil, started != nil else { return }
        if now - lastPacket >= limits.noMedia {
            finish(.noMedia, now: now, sink: &sink)
        } else if let announcedSilence, now - announcedSilence >= limits.silence {
            finish(.silence, now: now, sink: &sink)
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

    /// While the process did not run, nobody saw whether packets came: such time ends nothing.
    private mutating func overlookPause(now: Duration) {
        let unseen = now - (lastTick ?? now)
        lastTick = now
        guard unseen > Self.longestTick else { return }
        lastPacket = min(now, lastPacket + unseen)
        if let since = announcedSilence { announcedSilence = min(now, since + unseen) }
    }

    private mutating func release(now: Duration, flushing: Bool, sink: inout some MessageSink) {
        while end == nil, let packet = buffer.next(now: now, flushing: flushing) {
            take(packet, sink: &sink)
        }
        refused.foreign += buffer.takeDroppedRivals()
    }

    private mutating func take(_ packet: JitterBuffer.Packet, sink: inout some MessageSink) {
        let isKept = started.map { packet.arrival >= $0 } ?? false
        switch roles[packet.payloadType] {
        case .audio(let sent):
            if isKept { append(packet, codec: sent, sink: &sink) }
        case .event:
            let digit = buffer.withPayload(of: packet) { digits.receive(packet.header, payload: $0) }
            if isKept { meter.interrupt() }
            if isKept, digit == .pound { end = .key }
        case .comfortNoise:
            if isKept, writtenSamples > 0 { appendComfortNoise(packet, sink: &sink) }
        case nil: break
        }
    }

    private mutating func append(_ packet: JitterBuffer.Packet, codec sent: AudioCodec, sink: inout some MessageSink) {
        let decoded = buffer.withPayload(of: packet) { decoder.decode($0, as: sent, into: &samples) }
        // What is no audio of the codec leaves a gap, like a packet that was lost.
        guard let count = decoded, count > 0 else { return }
        let duration = count * codec.ticksPerSample
        guard let silence = place(packet, duration: duration, count: count, sink: &sink) else { return }
        announcedSilence = nil
        let isSilent = SilenceMeter.isSilent(samples.span.extracting(0..<count))
        judge(meter.note(isSilent: isSilent, gap: silence, duration: duration, end: timeline.length))
    }

    private mutating func appendComfortNoise(_ packet: JitterBuffer.Packet, sink: inout some MessageSink) {
        guard let silence = place(packet, duration: 0, count: 0, sink: &sink) else { return }
        if announcedSilence == nil { announcedSilence = packet.arrival }
        judge(meter.note(isSilent: true, gap: silence, duration: 0, end: timeline.length, announcesMore: true))
    }

    private mutating func judge(_ silentTicks: Int) {
        if end == nil, silentTicks >= RecordingTimeline.ticks(limits.silence, codec.clockRate) { end = .silence }
    }

    /// Puts the first `count` samples where they belong; the silence before them in ticks, nil when there is no room for them.
    private mutating func place(
        _ packet: JitterBuffer.Packet, duration: Int, count: Int, sink: inout some MessageSink
    ) -> Int? {
        var packet = packet
        if isContradicted(packet), let expected = timeline.expected { packet.timestamp = expected }
        let before = timeline.length
        let placement = timeline.place(
            generation: packet.generation, timestamp: packet.timestamp, duration: duration,
            arrival: undelayedArrival(of: packet, duration: duration))
        guard case .append(let silence) = placement else { return nil }
        write(count: count, before: before, silence: silence, sink: &sink)
        return silence
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
}
