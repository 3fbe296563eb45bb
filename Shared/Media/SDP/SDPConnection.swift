/// An address as `c=` and `o=` write it: `IN IP4 192.0.2.1` (RFC 8866 section 5.7). Unicast only.
public struct SDPConnection: Sendable, Equatable {
    /// `IP4` or `IP6`.
    public var addressType: String
    /// An address or a host name, without a TTL.
    public var address: String

    public init(addressType: String, address: String) {
        self.addressType = addressType
        self.address = address
    }

    /// A literal address; one with a colon is IPv6.
    public init(address: String) {
        self.init(addressType: address.contains(":") ? "IP6" : "IP4", address: address)
    }

    init?(fields: [Substring]) {
        guard fields.count == 3, fields[0] == "IN", fields[1] == "IP4" || fields[1] == "IP6" else { return nil }
        let address = fields[2].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)[0]
        guard !address.isEmpty else { return nil }
        self.init(addressType: String(fields[1]), address: String(address))
    }

    var text: String { "IN \(addressType) \(address)" }

    /// The old way to say "hold": nothing is to be sent here (RFC 3264 section 8.4).
    public var isUnspecified: Bool { address == "0.0.0.0" || address == "::" }
}
