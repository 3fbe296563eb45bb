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

    static let loud: UInt8 = 0x90
    static let silent: UInt8 = 0xFF

    init(limits: RecordingLimits = RecordingLimits(), start: Duration = .seconds(1_000)) throws {
        now = start
        tickDue = start
        recorder = MessageRecorder(decoder: try AudioDecoder(.pcmu), limits: limits, now: start)
    }

    /// The message's length in milliseconds.
    var milliseconds: Int { sink.samples / 8 }

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
        let header = RTPHeader(payloadType: 0, sequence: sequence, timestamp: timestamp, ssrc: ssrc)
        let payload = [UInt8](repeating: octet, count: 160)
        recorder.receive(header, payload: payload.span, now: now, sink: &sink)
    }

    /// Time passes, ticked as the media thread does.
    mutating func pass(_ duration: Duration) {
        let end = now + duration
        while tickDue <= end {
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
