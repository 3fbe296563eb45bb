import Media
import Synchronization

/// What happens in a taken call, told once each and in this order.
enum CallMoment: Sendable, Equatable {
    /// The beep is over.
    case recording
    /// No more audio will come. Nil: there is no message. The length is what the ring was given, in samples.
    case ended(RecordingEnd?, samples: Int)
}

/// One call's audio: plays greeting and beep, then records into the ring. Ticked by the media thread.
///
/// `@unchecked Sendable`: all but `requestedEnd` is touched by the media thread alone, from `MediaThread.add` on.
final class TakenCall: MediaSession, @unchecked Sendable {
    private let audio: NegotiatedAudio
    private let prompt: [Int16]
    private let decoder: AudioDecoder
    private let limits: RecordingLimits
    private let tell: @Sendable (CallMoment) -> Void
    private let requestedEnd = Mutex<RecordingEnd?>(nil)
    private var sockets: RTPSocketPair?
    private var sender: AudioSender
    private var flow: CallFlow?
    private var recorder: MessageRecorder?
    private var digits = DTMFReceiver()
    private var sink: RingSink
    private var datagram = [UInt8](repeating: 0, count: 2_048)

    /// - Parameters:
    ///   - prompt: greeting and beep at the codec's sample rate.
    ///   - tell: called on the media thread, for what happens once a call.
    init(
        audio: NegotiatedAudio, sockets: RTPSocketPair, sender: AudioSender, decoder: AudioDecoder, prompt: [Int16],
        limits: RecordingLimits, ring: SampleRing, tell: @escaping @Sendable (CallMoment) -> Void
    ) {
        self.audio = audio
        self.sockets = sockets
        self.sender = sender
        self.decoder = decoder
        self.prompt = prompt
        self.limits = limits
        self.tell = tell
        sink = RingSink(ring: ring)
    }

    /// Ends the call with all that has arrived; the first reason stays. Any thread.
    func end(_ reason: RecordingEnd) {
        requestedEnd.withLock { if $0 == nil { $0 = reason } }
    }

    func tick(now: Duration) -> Bool {
        guard let sockets else { return false }
        var flow = self.flow ?? CallFlow(promptSamples: prompt.count, frameSamples: sender.frameSamples, now: now)
        receive(from: sockets, flow: &flow, now: now)
        recorder?.advance(now: now, sink: &sink)
        if let end = recorder?.end { flow.end(end) }
        if let end = requestedEnd.withLock({ $0 }) {
            recorder?.finish(end, now: now, sink: &sink)
            flow.end(recorder?.end ?? end)
        }
        if case .ended(let end) = flow.phase {
            finish(end, through: sockets)
            return false
        }
        let wasRecording = flow.isRecording
        switch flow.tick(now: now) {
        case .prompt(let position): sender.send(prompt, from: position, through: sockets)
        case .silence: sender.send(prompt, from: nil, through: sockets)
        case .nothing: break
        }
        sender.report(now: now, through: sockets)
        if flow.isRecording, !wasRecording {
            recorder = MessageRecorder(decoder: decoder, limits: limits, now: now)
            tell(.recording)
        }
        self.flow = flow
        return true
    }

    private func finish(_ end: RecordingEnd?, through sockets: RTPSocketPair) {
        sender.goodbye(through: sockets)
        self.sockets = nil
        tell(.ended(end, samples: recorder?.writtenSamples ?? 0))
    }

    private func receive(from sockets: RTPSocketPair, flow: inout CallFlow, now: Duration) {
        while let count = sockets.receiveRTP(into: &datagram, from: sender.peer) {
            if count > 0 { take(datagram.span.extracting(0..<count), flow: &flow, now: now) }
        }
        while sockets.receiveRTCP(into: &datagram, from: sender.peer) != nil {}
    }

    private func take(_ packet: Span<UInt8>, flow: inout CallFlow, now: Duration) {
        if audio.hasRTCPMux, RTCPPacket.isRTCP(packet) { return }
        guard let (header, range) = RTPHeader.parse(packet) else { return }
        let payload = packet.extracting(range)
        flow.heard()
        if Int(header.payloadType) == audio.payloadType {
            recorder?.receive(header, payload: payload, now: now, sink: &sink)
            return
        }
        recorder?.noteAlive(now: now)
        guard Int(header.payloadType) == audio.eventPayloadType,
            let digit = digits.receive(header, payload: payload), flow.press(digit)
        else { return }
        recorder?.finish(.key, now: now, sink: &sink)
    }
}

/// Writes into the ring; full, the disk is hopelessly behind.
struct RingSink: MessageSink {
    let ring: SampleRing

    func append(silence: Int, samples: Span<Int16>) -> Bool {
        ring.write(silence: silence, samples: samples)
    }
}
