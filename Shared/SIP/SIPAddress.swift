public import Observability

/// A name-addr with its header parameters: From, To, Contact, P-Asserted-Identity (RFC 3261 section 20.10).
public struct SIPAddress: Hashable, Sendable, Codable, CustomStringConvertible {
    /// Unquoted display name; nil when absent or empty.
    public var displayName: String?
    public var uri: SIPURI
    /// The `tag` header parameter of From and To.
    public var tag: String?

    public init(displayName: String? = nil, uri: SIPURI, tag: String? = nil) {
        self.displayName = displayName
        self.uri = uri
        self.tag = tag
    }

    /// Parses the value of one From, To, Contact or P-Asserted-Identity header; nil when malformed.
    public init?(_ text: String) {
        guard let parsed = SIPAddressParser.parse(text) else { return nil }
        self = parsed
    }

    /// The header value on the wire, display name quoted, with `;tag=` when there is one.
    public var text: String { SIPAddressParser.text(of: self) }

    /// Redacted: only ``text`` carries personal data.
    public var description: String { redacted }
}

extension SIPAddress: RedactedInLogs {
    public var redacted: String { "<\(uri.redacted)>" }
}
