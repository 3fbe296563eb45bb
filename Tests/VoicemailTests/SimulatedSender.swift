import Media
import VoicemailCore

/// A sender of 20 ms mu-law packets with a clock of its own, and the recorder that hears it: time is stepped, nothing sleeps.
struct SimulatedSender {
    var recorder: MessageRecorder
    var sink = CollectingSink()
    var ssrc: UInt32 = 1
    var sequence: UInt16 = 65_500
    var timestamp: UInt32 = .max - 3_000
    private(set) var now: Duration
    private var tickDue: Duration
    /// What arrives while the process does not run.
    private var waiting: [(header: RTPHeader, payload: [UInt8], arrival: Duration)]?

    static let loud: UInt8 = 0x90
    static let silent: UInt8 = 0xFF

    init(limits: RecordingLimits = RecordingLimits(), start: Duration = .seconds(1_000)) throws {
        now = start
        tickDue = start
        recorder = MessageRecorder(
            decoder: try AudioDecoder(.pcmu), roles: PayloadRoles(codec: .pcmu, audio: 0, event: 101), limits: limits)
        recorder.begin(now: start)
    }

    /// The message's length in milliseconds.
    var milliseconds: Int { sink.samples / 8 }

    /// The recorder's process does not run while `body` sends: what arrives waits in the socket, no more than `kept`
    /// packets, and is taken at once when the process goes on.
    mutating func whileStopped(keeping kept: Int = .max, _ body: (inout SimulatedSender) -> Void) {
        waiting = []
        body(&self)
        for packet in (waiting ?? []).prefix(kept) {
            recorder.receive(packet.header, payload: packet.payload.span, arrival: packet.arrival, sink: &sink)
        }
        waiting = nil
        tickDue = now
        pass(.zero)
    }

    /// Sends audio in real time.
    mutating func send(_ duration: Duration, octet: UInt8 = loud) {
        let packets = Int(duration / .milliseconds(20))
        for _ in 0..<packets {
            deliver(octet: octet)
            pass(.milliseconds(20))
        }
    }

    /// One packet arrives now; the sender's sequence number and timestamp move on.
    mutating func deliver(octet: UInt8 = loud) {
        deliver(sequence: sequence, timestamp: timestamp, octet: octet)
        sequence &+= 1
        timestamp &+= 160
    }

    mutating func deliver(sequence: UInt16, timestamp: UInt32, octet: UInt8 = loud) {
        deliver([UInt8](repeating: octet, count: 160), type: 0, sequence: sequence, timestamp: timestamp)
    }

    /// A packet of any kind arrives now.
    mutating func deliver(_ payload: [UInt8], type: UInt8, sequence: UInt16, timestamp: UInt32) {
        let header = RTPHeader(payloadType: type, sequence: sequence, timestamp: timestamp, ssrc: ssrc)
        if waiting != nil {
            waiting?.append((header, payload, now))
        } else {
            recorder.receive(header, payload: payload.span, arrival: now, sink: &sink)
        }
    }

    /// Sends audio in real time in packets of so many milliseconds.
    mutating func send(packets: Int, ofMilliseconds milliseconds: Int, octet: UInt8 = loud) {
        for _ in 0..<packets {
            let payload = [UInt8](repeating: octet, count: milliseconds * 8)
            deliver(payload, type: 0, sequence: sequence, timestamp: timestamp)
            sequence &+= 1
            timestamp &+= UInt32(milliseconds * 8)
            pass(.milliseconds(milliseconds))
        }
    }

    /// A key is held for 100 ms; its packets have numbers of the audio's sequence, and the clock goes on.
    mutating func press(_ digit: DTMFDigit) {
        for index in 0..<5 {
            let event = TelephoneEvent(code: digit.eventCode, isEnd: index > 2, duration: UInt16(160 * (index + 1)))
            deliver(event.payload, type: 101, sequence: sequence, timestamp: timestamp)
            sequence &+= 1
            pass(.milliseconds(20))
        }
        advanceClock(.milliseconds(100))
    }

    /// Time passes, ticked as the media thread does.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while waiting == nil, tickDue <= end {
            now = tickDue
            recorder.advance(now: now, sink: &sink)
            tickDue += .milliseconds(20)
        }
        now = end
    }

    /// The sender's clock goes on without packets.
    mutating func advanceClock(_ duration: Duration) {
        timestamp &+= UInt32(duration / .milliseconds(1)) * 8
    }

    mutating func hangUp() {
        recorder.finish(.hangup, now: now, sink: &sink)
    }
}

/// Notes what a message is made of.
struct CollectingSink: MessageSink {
    var samples = 0
    /// Where silence was filled in: position and length in milliseconds.
    var gaps: [ClosedRange<Int>] = []
    var isFull = false

    mutating func append(silence: Int, samples audio: Span<Int16>) -> Bool {
        guard !isFull else { return false }
        if silence > 0 { gaps.append(samples / 8...(samples + silence) / 8) }
        samples += silence + audio.count
        return true
    }
}
