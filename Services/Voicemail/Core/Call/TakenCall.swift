package import Media
import Synchronization

/// What happens in a taken call, told once each and in this order.
package enum CallMoment: Sendable, Equatable {
    /// The beep is over.
    case recording
    /// No more audio will come. Nil: there is no message. The length is what the ring was given, in samples.
    case ended(RecordingEnd?, samples: Int)
}

/// One call's audio: plays greeting and beep, then records into the ring. Ticked by the media thread.
///
/// `@unchecked Sendable`: all but `requestedEnd` is touched by the media thread alone, from `MediaThread.add` on.
package final class TakenCall: MediaSession, @unchecked Sendable {
    private let prompt: [Int16]
    private let counters: RefusedPacketCounters
    private let tell: @Sendable (CallMoment) -> Void
    private let requestedEnd = Mutex<RecordingEnd?>(nil)
    private var sockets: RTPSocketPair?
    private var sender: AudioSender
    private var flow: CallFlow?
    private var recorder: MessageRecorder
    private var frames = FrameClock()
    private var arrivals = ArrivalClock()
    private var refused = RefusedPackets()
    private var sink: RingSink
    /// The largest payload with all that may stand before it, extensions of a usual size included.
    private var datagram = [UInt8](repeating: 0, count: JitterBuffer.maximumPayloadBytes + 600)

    /// - Parameters:
    ///   - prompt: greeting and beep at the codec's sample rate.
    ///   - tell: called on the media thread, for what happens once a call.
    package init(
        sockets: RTPSocketPair, sender: AudioSender, recorder: MessageRecorder, prompt: [Int16], ring: SampleRing,
        counters: RefusedPacketCounters, tell: @escaping @Sendable (CallMoment) -> Void
    ) {
        self.sockets = sockets
        self.sender = sender
        self.recorder = recorder
        self.prompt = prompt
        self.counters = counters
        self.tell = tell
        sink = RingSink(ring: ring)
    }

    /// Ends the call with all that has arrived; the first reason stays. Any thread.
    package func end(_ reason: RecordingEnd) {
        requestedEnd.withLock { if $0 == nil { $0 = reason } }
    }

    package func tick(now: Duration) -> Bool {
        guard let sockets else { return false }
        var flow = self.flow ?? CallFlow(promptSamples: prompt.count, frameSamples: sender.frameSamples, now: now)
        // All that waits comes before any judgement: the process may not have run for a while.
        receive(from: sockets, flow: &flow)
        recorder.advance(now: now, sink: &sink)
        if let end = recorder.end { flow.end(end) }
        if let end = requestedEnd.withLock({ $0 }) {
            if flow.isRecording { recorder.finish(end, now: now, sink: &sink) }
            flow.end(recorder.end ?? end)
        }
        if case .ended(let end) = flow.phase {
            finish(end, through: sockets)
            return false
        }
        let wasRecording = flow.isRecording
        send(flow.tick(now: now), now: now, through: sockets)
        if flow.isRecording, !wasRecording {
            recorder.begin(now: now)
            tell(.recording)
        }
        self.flow = flow
        return true
    }

    private func send(_ frame: CallFlow.Frame, now: Duration, through sockets: RTPSocketPair) {
        sender.skip(frames: frames.tick(now: now))
        switch frame {
        case .prompt(let position): sender.send(prompt, from: position, through: sockets)
        case .silence: sender.send(prompt, from: nil, through: sockets)
        case .nothing: break
        }
        sender.report(now: now, through: sockets)
    }

    private func finish(_ end: RecordingEnd?, through sockets: RTPSocketPair) {
        sender.goodbye(through: sockets)
        self.sockets = nil
        counters.add(refused + recorder.refused)
        tell(.ended(end, samples: recorder.writtenSamples))
    }

    private func receive(from sockets: RTPSocketPair, flow: inout CallFlow) {
        let clocks = ArrivalClock.clocks
        arrivals.begin(monotonic: clocks.monotonic, realTime: clocks.realTime)
        reading: while true {
            switch sockets.receiveRTP(into: &datagram, from: sender.peer) {
            case .datagram(let count, let stamp):
                let arrival = arrivals.arrival(stamp: stamp, now: MediaThread.now)
                take(datagram.span.extracting(0..<count), arrival: arrival, flow: &flow)
            case .foreign: refused.strangers += 1
            case .oversized: refused.oversized += 1
            case .error: break
            case .none: break reading
            }
        }
        arrivals.emptied()
        while sockets.receiveRTCP(into: &datagram, from: sender.controlPeer) != .none {}
    }

    private func take(_ packet: Span<UInt8>, arrival: Duration, flow: inout CallFlow) {
        // Also unasked on this port (RFC 5761 section 4).
        if RTCPPacket.isRTCP(packet) { return }
        guard let (header, range) = RTPHeader.parse(packet) else {
            refused.malformed += 1
            return
        }
        flow.heard()
        recorder.receive(header, payload: packet.extracting(range), arrival: arrival, sink: &sink)
    }
}

/// Writes into the ring; full, the disk is hopelessly behind.
struct RingSink: MessageSink {
    let ring: SampleRing

    func append(silence: Int, samples: Span<Int16>) -> Bool {
        ring.write(silence: silence, samples: samples)
    }
}
