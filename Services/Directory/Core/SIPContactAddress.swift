/// Where a SIP phone is: `sip:user@host:port;transport=tcp`, of which only the host is needed.
struct SIPContactAddress: Equatable {
    static let defaultPort = 5060

    /// May be empty.
    let user: String
    let host: String
    let port: Int
    let transport: SIPTransport

    /// Nil for a URI that is no plain `sip:` address: of another scheme, with headers, or with a parameter other than
    /// `transport`.
    init?(_ text: String) {
        guard text.utf8.count <= 512, text.lowercased().hasPrefix("sip:") else { return nil }
        let parts = text.dropFirst(4).split(separator: ";", omittingEmptySubsequences: false)
        guard let address = parts.first, parts.count <= 2 else { return nil }
        let pieces = address.split(separator: "@", omittingEmptySubsequences: false)
        guard (1...2).contains(pieces.count), let place = pieces.last else { return nil }
        let hostAndPort = place.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(hostAndPort.count), let host = SIPDomain(String(hostAndPort[0])) else { return nil }
        let port = hostAndPort.count == 2 ? UInt16(hostAndPort[1]).map(Int.init) : SIPContactAddress.defaultPort
        guard let port, port > 0 else { return nil }
        var transport = SIPTransport.udp
        if parts.count == 2 {
            guard parts[1].lowercased().hasPrefix("transport="),
                let named = SIPTransport(rawValue: String(parts[1].dropFirst(10)).lowercased())
            else { return nil }
            transport = named
        }
        let user = pieces.count == 2 ? String(pieces[0]) : ""
        guard pieces.count == 1 || (!user.isEmpty && user.utf8.allSatisfy(SIPContactAddress.isUserByte)) else {
            return nil
        }
        self.init(user: user, host: host.text, port: port, transport: transport)
    }

    init(user: String, host: String, port: Int, transport: SIPTransport) {
        self.user = user
        self.host = host
        self.port = port
        self.transport = transport
    }

    var uri: String {
        "sip:" + (user.isEmpty ? "" : user + "@") + "\(host):\(port)" + (transport == .tcp ? ";transport=tcp" : "")
    }

    /// `unreserved` and `user-unreserved` of RFC 3261, section 25.1.
    private static func isUserByte(_ byte: UInt8) -> Bool {
        AccountName.isAlphanumeric(byte) || "-_.!~*'()&=+$,/".utf8.contains(byte)
    }
}

/// The transports of trunks and contacts; the raw values are the database's.
enum SIPTransport: String, CaseIterable {
    case udp, tcp
}
