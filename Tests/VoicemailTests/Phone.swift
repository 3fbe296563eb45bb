import Media
import Synchronization

/// A telephone of a test: speaks a steady tone by RTP in real time once it knows where to, and presses keys.
final class Phone: MediaSession, @unchecked Sendable {
    private struct Order {
        var remote: SocketAddress?
        /// Frames still to speak; nil: until told otherwise.
        var frames: Int?
        var digit: DTMFDigit?
        var isDone = false
        var waiter: CheckedContinuation<Void, Never>?
    }
    private let order = Mutex(Order())
    private let codec: AudioCodec
    private let sockets: RTPSocketPair
    private let tone: [Int16]
    private let encoder: AudioEncoder
    private var position = 0
    private var sequence: UInt16 = 65_530
    private var timestamp: UInt32 = .max - 8_000
    private var packet = [UInt8](repeating: 0, count: 1_500)
    private let payloadTypes: (audio: UInt8, event: UInt8)

    init(codec: AudioCodec, hertz: Double, sockets: RTPSocketPair) throws {
        self.codec = codec
        self.sockets = sockets
        encoder = try AudioEncoder(codec)
        // Ten seconds; the frequencies used are whole hertz, so that it may be repeated.
        tone = Tone.sine(hertz: hertz, duration: .seconds(10), sampleRate: codec.sampleRate)
        payloadTypes = (codec == .pcmu ? 0 : codec == .pcma ? 8 : 111, 101)
    }

    var offer: String {
        let clock = codec.clockRate
        return """
            v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r
            m=audio \(sockets.rtpPort) RTP/AVP \(payloadTypes.audio) 101\r
            a=rtpmap:\(payloadTypes.audio) \(codec.encoding)/\(clock)\(codec == .opus ? "/2" : "")\r
            a=rtpmap:101 telephone-event/\(clock)\r\n
            """
    }

    /// Begins to speak.
    func connect(answer: String) throws {
        let description = try SessionDescription(parsing: answer)
        let audio = description.media[0]
        let remote = SocketAddress(address: description.connection(of: audio)?.address ?? "", port: audio.port)
        order.withLock { $0.remote = remote }
    }

    /// Returns once so much more has been spoken; it is silent after that.
    func speak(_ duration: Duration) async {
        await withCheckedContinuation { continuation in
            order.withLock {
                $0.frames = Int(duration / .milliseconds(20))
                $0.waiter = continuation
            }
        }
    }

    func press(_ digit: DTMFDigit) {
        order.withLock { $0.digit = digit }
    }

    func tick(now: Duration) -> Bool {
        let (remote, digit, isSpeaking, waiter) = order.withLock { order in
            var waiter: CheckedContinuation<Void, Never>?
            if order.frames == 0 { (waiter, order.waiter) = (order.waiter, nil) }
            let isSpeaking = order.frames != 0
            if let frames = order.frames, frames > 0, order.remote != nil { order.frames = frames - 1 }
            defer { order.digit = nil }
            return (order.remote, order.digit, isSpeaking, waiter)
        }
        waiter?.resume()
        guard let remote else { return true }
        if let digit { send(digit, to: remote) }
        if isSpeaking { speak(to: remote) }
        return true
    }

    private func speak(to remote: SocketAddress) {
        let samples = codec.sampleRate / 50
        let frame = Array(tone[position..<position + samples])
        position = (position + samples) % tone.count
        header(payloadTypes.audio).write(to: &packet)
        let length = encoder.encode(frame.span, into: &packet, at: RTPHeader.minimumBytes) ?? 0
        sockets.sendRTP(packet.span.extracting(0..<RTPHeader.minimumBytes + length), to: remote)
        timestamp &+= UInt32(codec.clockRate / 50)
    }

    /// Without a marker, its end three times.
    private func send(_ digit: DTMFDigit, to remote: SocketAddress) {
        for (index, isEnd) in [false, false, true, true, true].enumerated() {
            let event = TelephoneEvent(code: digit.eventCode, isEnd: isEnd, duration: UInt16(160 * (index + 1)))
            sockets.sendRTP(header(payloadTypes.event).packet(payload: event.payload).span, to: remote)
        }
    }

    private func header(_ payloadType: UInt8) -> RTPHeader {
        defer { sequence &+= 1 }
        return RTPHeader(payloadType: payloadType, sequence: sequence, timestamp: timestamp, ssrc: 4_711)
    }
}
