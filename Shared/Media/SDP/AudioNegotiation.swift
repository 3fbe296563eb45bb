/// What was agreed for a call's audio, from the answerer's side.
public struct NegotiatedAudio: Sendable, Equatable {
    public var codec: AudioCodec
    /// The payload type of the codec, the same both ways.
    public var payloadType: Int
    /// The payload type of RFC 4733 events, when the offer has one.
    public var eventPayloadType: Int?
    /// Milliseconds of audio in the packets sent.
    public var ptime: Int
    /// The answerer's direction.
    public var direction: MediaDirection
    /// Where to send.
    public var remote: SDPConnection
    public var remotePort: Int
    public var remoteRTCPPort: Int
    public var hasRTCPMux: Bool
}

/// Answers an offer with one audio codec (RFC 3264 section 6).
public struct AudioNegotiation: Sendable {
    public enum Failure: Error, Sendable, Equatable {
        /// Nothing in the offer is audio over plain RTP with an address.
        case noAudio
        case noCommonCodec
    }

    /// Milliseconds of audio that a packet sent to us may have.
    static let maximumPtime = 200

    /// The codecs that may be chosen; the offer's order decides among them.
    public var codecs: Set<AudioCodec>

    public init(codecs: Set<AudioCodec> = Set(AudioCodec.allCases)) {
        self.codecs = codecs
    }

    /// Chooses the first known codec of the first audio medium that has one.
    public func negotiate(_ offer: SessionDescription) throws(Failure) -> (media: Int, audio: NegotiatedAudio) {
        var failure = Failure.noAudio
        for (index, medium) in offer.media.enumerated() where medium.isPlainAudio {
            guard let remote = offer.connection(of: medium) else { continue }
            failure = .noCommonCodec
            let formats = medium.payloadFormats
            guard let format = formats.first(where: { $0.codec.map(codecs.contains) ?? false }),
                let codec = format.codec
            else { continue }
            // Events run on the codec's clock (RFC 4733 section 2.1); several phones only name 8,000 Hz beside Opus.
            let events = formats.filter(\.isTelephoneEvent)
            let event = events.first { $0.clockRate == codec.clockRate } ?? events.first
            var direction = offer.direction(of: medium).answered
            if remote.isUnspecified { direction = direction.receives ? .receiveOnly : .inactive }
            let audio = NegotiatedAudio(
                codec: codec, payloadType: format.payloadType, eventPayloadType: event?.payloadType, ptime: 20,
                direction: direction, remote: remote, remotePort: medium.port, remoteRTCPPort: medium.rtcpPort,
                hasRTCPMux: medium.hasRTCPMux)
            return (index, audio)
        }
        throw failure
    }

    /// The answer: the chosen medium with one codec, every other one refused with port 0, in the offer's order.
    public func answer(
        _ offer: SessionDescription, address: String, rtpPort: Int, rtcpPort: Int, sessionID: UInt64
    ) throws(Failure) -> (answer: SessionDescription, audio: NegotiatedAudio) {
        let (chosen, audio) = try negotiate(offer)
        let connection = SDPConnection(address: address)
        let origin = SDPOrigin(
            username: "bellwire", sessionID: String(sessionID), sessionVersion: "1", connection: connection)
        var answer = SessionDescription(origin: origin, connection: connection)
        for (index, medium) in offer.media.enumerated() {
            guard index == chosen else {
                answer.media.append(medium.refused)
                continue
            }
            answer.media.append(
                Self.accept(medium, audio: audio, address: connection, rtpPort: rtpPort, rtcpPort: rtcpPort))
        }
        return (answer, audio)
    }

    private static func accept(
        _ medium: MediaDescription, audio: NegotiatedAudio, address: SDPConnection, rtpPort: Int, rtcpPort: Int
    ) -> MediaDescription {
        let formats = medium.payloadFormats.filter {
            $0.payloadType == audio.payloadType || $0.payloadType == audio.eventPayloadType
        }
        // The codec first: the order says which is preferred.
        let ordered = formats.filter { !$0.isTelephoneEvent } + formats.filter(\.isTelephoneEvent)
        var accepted = MediaDescription(
            kind: medium.kind, port: rtpPort, transport: medium.transport, formats: ordered.map { "\($0.payloadType)" })
        for format in ordered {
            accepted.attributes.append(SDPAttribute("rtpmap", format.mapText))
            if format.isTelephoneEvent {
                accepted.attributes.append(SDPAttribute("fmtp", "\(format.payloadType) 0-15"))
            }
        }
        accepted.attributes.append(SDPAttribute("ptime", "\(audio.ptime)"))
        accepted.attributes.append(SDPAttribute("maxptime", "\(Self.maximumPtime)"))
        if audio.hasRTCPMux {
            accepted.attributes.append(SDPAttribute("rtcp-mux"))
        } else {
            accepted.attributes.append(SDPAttribute("rtcp", "\(rtcpPort)"))
        }
        accepted.attributes.append(SDPAttribute(audio.direction.rawValue))
        return accepted
    }
}

extension MediaDescription {
    /// The same medium with port 0 and at least one format, as RFC 3264 section 6 wants a refusal.
    public var refused: MediaDescription {
        MediaDescription(kind: kind, port: 0, transport: transport, formats: formats)
    }
}
