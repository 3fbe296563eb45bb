package import SIP
package import Wire

/// What can be called for a call: a phone of the callee's, or a way to the telephone network.
package struct LegTarget: Hashable, Sendable, Codable {
    /// Of the contact, or of the trunk.
    package let id: String
    package let isTrunk: Bool
    /// Request-URI.
    package let uri: SIPURI
    /// What a trunk shows of the caller; empty for a phone.
    package let callerNumber: String

    package init(id: String, isTrunk: Bool, uri: SIPURI, callerNumber: String = "") {
        self.id = id
        self.isTrunk = isTrunk
        self.uri = uri
        self.callerNumber = callerNumber
    }

    /// Nil for a contact whose address cannot be read.
    package init?(_ contact: DirectoryV1.SIPContact) {
        guard let uri = SIPURI(contact.uri) else { return nil }
        self.init(id: contact.id, isTrunk: false, uri: uri)
    }

    /// - Parameter number: E.164: whom to call through it.
    package init(_ trunk: DirectoryV1.TrunkRoute, number: String) {
        let parameters = trunk.transport == .tcp ? [SIPURI.Parameter("transport", "tcp")] : []
        let uri = SIPURI(user: number, host: trunk.host, port: UInt16(clamping: trunk.port), parameters: parameters)
        self.init(id: trunk.trunkID, isTrunk: true, uri: uri, callerNumber: trunk.callerNumber)
    }

    var transport: SIPTransport { uri.parameter("transport")?.lowercased() == "tcp" ? .tcp : .udp }
}

extension SIPCredentials {
    /// Nil for a trunk that asks for none.
    init?(_ trunk: DirectoryV1.TrunkRoute) {
        guard !trunk.username.isEmpty else { return nil }
        self.init(user: trunk.username, password: trunk.password)
    }
}
