package import Media

/// Sends 20 ms frames as RTP, and sender reports beside them. Used by the media thread; a frame allocates nothing.
package struct AudioSender {
    static let reportInterval = Duration.seconds(5)

    let frameSamples: Int
    private let audio: NegotiatedAudio
    private let encoder: AudioEncoder
    private let rtpAddress: SocketAddress
    private let rtcpAddress: SocketAddress
    private let ssrc = UInt32.random(in: 1...UInt32.max)
    private var sequence = UInt16.random(in: 0...UInt16.max)
    private var timestamp = UInt32.random(in: 0...UInt32.max)
    private var frame: [Int16]
    private var packet = [UInt8](repeating: 0, count: RTPHeader.minimumBytes + 1_275)
    private var packets: UInt32 = 0
    private var octets: UInt32 = 0
    private var nextReport: Duration?
    /// The first packet, or the first one behind a pause.
    private var isResuming = true

    /// Nil when the offer's address is none that can be sent to.
    package init?(_ audio: NegotiatedAudio, encoder: AudioEncoder) {
        guard let rtp = SocketAddress(address: audio.remote.address, port: audio.remotePort),
            let rtcp = SocketAddress(
                address: audio.remote.address, port: audio.hasRTCPMux ? audio.remotePort : audio.remoteRTCPPort)
        else { return nil }
        self.audio = audio
        self.encoder = encoder
        rtpAddress = rtp
        rtcpAddress = rtcp
        frameSamples = audio.codec.sampleRate / 50
        frame = [Int16](repeating: 0, count: frameSamples)
    }

    /// Where the far side is; packets from elsewhere are not its: a relay sends from the ports that it names.
    var peer: SocketAddress { rtpAddress }
    /// The same of its RTCP.
    var controlPeer: SocketAddress { rtcpAddress }

    /// Frames were missed: the stream's clock went on without them. What follows begins anew (RFC 3551 section 4.1).
    mutating func skip(frames: Int) {
        guard frames > 0 else { return }
        timestamp &+= UInt32(truncatingIfNeeded: frames * audio.codec.clockRate / 50)
        isResuming = true
    }

    /// Sends the samples of `prompt` from `position` on, silence behind its end; nil: silence alone.
    mutating func send(_ prompt: [Int16], from position: Int?, through sockets: RTPSocketPair) {
        guard audio.direction.sends else { return }
        for index in 0..<frameSamples {
            if let position, position + index < prompt.count {
                frame[index] = prompt[position + index]
            } else {
                frame[index] = 0
            }
        }
        let header = RTPHeader(
            marker: isResuming, payloadType: UInt8(audio.payloadType), sequence: sequence, timestamp: timestamp,
            ssrc: ssrc)
        header.write(to: &packet)
        let samples = frame
        let length = encoder.encode(samples.span, into: &packet, at: RTPHeader.minimumBytes) ?? 0
        sequence &+= 1
        timestamp &+= UInt32(audio.codec.clockRate / 50)
        guard length > 0 else { return }
        sockets.sendRTP(packet.span.extracting(0..<RTPHeader.minimumBytes + length), to: rtpAddress)
        isResuming = false
        packets &+= 1
        octets &+= UInt32(length)
    }

    /// Every five seconds a sender report (RFC 3550 section 6.4.1).
    mutating func report(now: Duration, through sockets: RTPSocketPair) {
        guard let due = nextReport else {
            nextReport = now + Self.reportInterval
            return
        }
        guard now >= due else { return }
        nextReport = max(due + Self.reportInterval, now)
        sendRTCP([compoundStart()], through: sockets)
    }

    /// Says that the stream is over (RFC 3550 section 6.6).
    func goodbye(through sockets: RTPSocketPair) {
        sendRTCP([compoundStart(), RTCPPacket.goodbye(ssrcs: [ssrc]).bytes], through: sockets)
    }

    private func compoundStart() -> [UInt8] {
        let sender = RTCPSenderInfo(
            ntpTime: NTPTime.now, rtpTime: timestamp, packets: packets, octets: octets)
        let report =
            packets == 0
            ? RTCPPacket.receiverReport(ssrc: ssrc, reports: [])
            : RTCPPacket.senderReport(ssrc: ssrc, sender: sender, reports: [])
        // A name that says nothing of the machine.
        return report.bytes + RTCPPacket.sourceDescription(ssrc: ssrc, cname: "voicemail-\(ssrc)").bytes
    }

    private func sendRTCP(_ parts: [[UInt8]], through sockets: RTPSocketPair) {
        sockets.sendRTCP(Array(parts.joined()).span, to: rtcpAddress, isMuxed: audio.hasRTCPMux)
    }
}
