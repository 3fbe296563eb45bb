/// One `m=` section (RFC 8866 section 5.14).
public struct MediaDescription: Sendable, Equatable {
    /// `audio`, `video`, `application`...
    public var kind: String
    /// 0: offered no more, or refused.
    public var port: Int
    /// `RTP/AVP`, `RTP/SAVP`, `UDP/TLS/RTP/SAVPF`...
    public var transport: String
    /// Payload types in order of preference, as written.
    public var formats: [String]
    public var connection: SDPConnection?
    public var attributes: [SDPAttribute]

    public init(
        kind: String, port: Int, transport: String, formats: [String], connection: SDPConnection? = nil,
        attributes: [SDPAttribute] = []
    ) {
        self.kind = kind
        self.port = port
        self.transport = transport
        self.formats = formats
        self.connection = connection
        self.attributes = attributes
    }

    /// Nil when the medium itself says nothing; see `SessionDescription.direction(of:)`.
    public var direction: MediaDirection? { MediaDirection(attributes: attributes) }

    public var isPlainAudio: Bool {
        kind == "audio" && port != 0 && (transport == "RTP/AVP" || transport == "RTP/AVPF")
    }

    /// Whether RTCP shares the RTP port (RFC 5761).
    public var hasRTCPMux: Bool { attributes.contains { $0.name == "rtcp-mux" && $0.value == nil } }

    /// Where RTCP goes when it is not multiplexed: `a=rtcp` (RFC 3605), else the next port.
    public var rtcpPort: Int {
        let named = value(of: "rtcp").flatMap { $0.split(separator: " ").first }.flatMap { Int($0) }
        guard let named, (1...65_535).contains(named) else { return port + 1 }
        return named
    }

    /// Milliseconds of audio a packet; nil when not given or out of reason.
    public var ptime: Int? {
        value(of: "ptime").flatMap { Int($0) }.flatMap { (1...200).contains($0) ? $0 : nil }
    }

    /// The value of the first attribute with this name.
    public func value(of name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }

    /// The payload formats in order of preference, static ones (RFC 3551) without an `rtpmap` included.
    public var payloadFormats: [PayloadFormat] {
        var maps: [Int: String] = [:]
        var parameters: [Int: String] = [:]
        for attribute in attributes {
            guard let value = attribute.value else { continue }
            let parts = value.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]) else { continue }
            if attribute.name == "rtpmap" { maps[number] = String(parts[1]) }
            if attribute.name == "fmtp" { parameters[number] = String(parts[1]) }
        }
        var seen: Set<Int> = []
        return formats.compactMap { text in
            guard let number = Int(text), (0...127).contains(number), seen.insert(number).inserted else { return nil }
            return PayloadFormat(payloadType: number, map: maps[number], parameters: parameters[number])
        }
    }
}
