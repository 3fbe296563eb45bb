/// One header line, for requests and responses that carry more than the stack writes by itself.
public struct SIPHeader: Hashable, Sendable, Codable {
    public var name: String
    public var value: String

    /// A line break in the value would start another header: such a header is left out when the message is written.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Retry-After (RFC 3261 section 20.33), in whole seconds.
    public static func retryAfter(seconds: Int) -> SIPHeader { SIPHeader("Retry-After", String(seconds)) }

    /// Reason with a SIP cause (RFC 3326), e.g. 200 for "answered elsewhere".
    public static func reason(sip cause: Int, text: String) -> SIPHeader {
        SIPHeader("Reason", "SIP;cause=\(cause);text=\"\(text)\"")
    }

    /// Warning (RFC 3261 section 20.43), e.g. 305 "Incompatible media format".
    public static func warning(code: Int, agent: String, text: String) -> SIPHeader {
        SIPHeader("Warning", "\(code) \(agent) \"\(text)\"")
    }

    /// True when the header can be written without changing the message's structure.
    var isWritable: Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: ":") }
            && value.utf8.allSatisfy { $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }
    }
}
