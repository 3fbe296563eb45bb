public import Observability

/// The transports a SIP message may travel on.
public enum SIPTransport: String, Sendable, Codable, CaseIterable {
    case udp, tcp
}

/// Where a message came from: the address is personal data and redacted in logs.
public struct SIPPeer: Hashable, Sendable, Codable, CustomStringConvertible {
    public var transport: SIPTransport
    public var host: String
    public var port: UInt16

    public init(transport: SIPTransport, host: String, port: UInt16) {
        self.transport = transport
        self.host = host
        self.port = port
    }

    public var description: String { redacted }
}

extension SIPPeer: RedactedInLogs {
    public var redacted: String { "\(transport.rawValue):…" }
}
