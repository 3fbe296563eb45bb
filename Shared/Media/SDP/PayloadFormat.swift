/// What an RTP payload type stands for in one description: its `rtpmap` and `fmtp` (RFC 8866 sections 6.6 and 6.15).
public struct PayloadFormat: Sendable, Equatable {
    /// 0...127.
    public var payloadType: Int
    /// As written; compare without regard to case.
    public var encoding: String
    /// In Hz.
    public var clockRate: Int
    public var channels: Int
    /// The text after the payload type of `a=fmtp`.
    public var parameters: String?

    public init(payloadType: Int, encoding: String, clockRate: Int, channels: Int = 1, parameters: String? = nil) {
        self.payloadType = payloadType
        self.encoding = encoding
        self.clockRate = clockRate
        self.channels = channels
        self.parameters = parameters
    }

    /// Nil when neither `map` nor RFC 3551's table says what the number means.
    init?(payloadType: Int, map: String?, parameters: String?) {
        guard let map = map ?? PayloadFormat.staticMaps[payloadType] else { return nil }
        let parts = map.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts[0].isEmpty, let rate = Int(parts[1]), rate > 0 else { return nil }
        let channels = parts.count > 2 ? Int(parts[2]) ?? 1 : 1
        self.init(
            payloadType: payloadType, encoding: String(parts[0]), clockRate: rate, channels: channels,
            parameters: parameters)
    }

    /// The part of RFC 3551's table 4 that is met in practice.
    static let staticMaps: [Int: String] = [
        0: "PCMU/8000", 3: "GSM/8000", 4: "G723/8000", 8: "PCMA/8000", 9: "G722/8000", 13: "CN/8000", 18: "G729/8000",
    ]

    public func isNamed(_ name: String) -> Bool { encoding.lowercased() == name.lowercased() }

    /// The codec of ours that this is.
    public var codec: AudioCodec? {
        AudioCodec.allCases.first {
            isNamed($0.encoding) && clockRate == $0.clockRate && channels == $0.sdpChannels
        }
    }

    /// RFC 4733 named events: digits.
    public var isTelephoneEvent: Bool { isNamed("telephone-event") }

    var mapText: String {
        channels > 1 ? "\(payloadType) \(encoding)/\(clockRate)/\(channels)" : "\(payloadType) \(encoding)/\(clockRate)"
    }
}
