public import Observability

/// A SIP, SIPS or tel URI (RFC 3261 section 19.1, RFC 3966), as a value.
///
/// Parsing keeps what it does not understand: ``text`` gives an equivalent URI back. User parts are compared and shown
/// after percent-decoding.
public struct SIPURI: Hashable, Sendable, Codable, CustomStringConvertible {
    public enum Scheme: String, Sendable, Codable { case sip, sips, tel }

    public var scheme: Scheme
    /// Percent-decoded user part; the number of a `tel:` URI; nil when there is none.
    public var user: String?
    /// Host name or address without brackets, in lower case; empty for `tel:`.
    public var host: String
    public var port: UInt16?
    /// `;name=value` parameters in their order; names in lower case, value nil for a flag such as `lr`.
    public var parameters: [Parameter]
    /// What follows `?`, kept as it came.
    public var headers: String?

    public struct Parameter: Hashable, Sendable, Codable {
        public var name: String
        public var value: String?

        public init(_ name: String, _ value: String? = nil) {
            self.name = name
            self.value = value
        }
    }

    public init(
        scheme: Scheme = .sip, user: String? = nil, host: String, port: UInt16? = nil, parameters: [Parameter] = [],
        headers: String? = nil
    ) {
        self.scheme = scheme
        self.user = user
        self.host = host
        self.port = port
        self.parameters = parameters
        self.headers = headers
    }

    /// Parses a URI; nil when it is no well-formed `sip:`, `sips:` or `tel:` URI.
    public init?(_ text: String) {
        guard let parsed = SIPURIParser.parse(text) else { return nil }
        self = parsed
    }

    /// The value of a parameter, "" for a flag; nil when absent. Names are compared without case.
    public func parameter(_ name: String) -> String? {
        parameters.first { $0.name == name.lowercased() }.map { $0.value ?? "" }
    }

    /// The dialled or calling number when the user part is one: of a `tel:` URI, of `;user=phone`, or a user part made of
    /// digits with an optional plus. Visual separators are removed; not checked against any numbering plan.
    public var number: String? { SIPURIParser.number(of: self) }

    /// The URI on the wire.
    public var text: String { SIPURIParser.text(of: self) }

    /// Redacted: only ``text`` carries personal data.
    public var description: String { redacted }
}

extension SIPURI: RedactedInLogs {
    /// The scheme alone: a user part may be a number and a host may be a subscriber's address.
    public var redacted: String { "\(scheme.rawValue):…" }
}
