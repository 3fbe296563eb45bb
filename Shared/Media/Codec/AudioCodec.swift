/// The audio codecs this product encodes and decodes itself.
public enum AudioCodec: String, Sendable, CaseIterable, Codable {
    case pcmu
    case pcma
    case opus

    /// The name in `rtpmap`.
    public var encoding: String {
        switch self {
        case .pcmu: "PCMU"
        case .pcma: "PCMA"
        case .opus: "opus"
        }
    }

    /// The RTP clock in Hz (RFC 3551, RFC 7587: 48,000 whatever Opus carries).
    public var clockRate: Int { self == .opus ? 48_000 : 8_000 }

    /// The channels that `rtpmap` names; Opus always says two and may carry one.
    public var sdpChannels: Int { self == .opus ? 2 : 1 }

    /// The rate in Hz at which this product hears, records and speaks the codec, mono.
    public var sampleRate: Int { self == .opus ? 16_000 : 8_000 }

    /// RTP clock ticks for one sample at `sampleRate`.
    public var ticksPerSample: Int { clockRate / sampleRate }
}
