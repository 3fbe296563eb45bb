/// An address and a port that something is bound to or reached at.
public struct SocketPlace: Hashable, Sendable, CustomStringConvertible {
    public let host: String
    public let port: UInt16

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// `ADDRESS` or `ADDRESS:PORT`; nil for anything else.
    public init?(_ text: some StringProtocol, defaultPort: UInt16) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, parts.count <= 2 else { return nil }
        guard let port = parts.count == 2 ? UInt16(parts[1]) : defaultPort, port > 0 else { return nil }
        self.init(host: String(host), port: port)
    }

    public var description: String { "\(host):\(port)" }
}

extension Configuration {
    /// The addresses at which SIP is served, in the order of the slots that own them: at most `maximum`.
    public func sipAddresses(maximum: Int) throws(ConfigurationError) -> [SocketPlace] {
        let port = UInt16(try int(.sipPort, default: 5060, in: 1...65_535))
        guard let text = string(.sipAddresses) else {
            return [SocketPlace(host: string(.host, default: "127.0.0.1"), port: port)]
        }
        let places = text.split(separator: ",", omittingEmptySubsequences: false).map {
            SocketPlace($0.drop { $0 == " " }, defaultPort: port)
        }
        let known = places.compactMap { $0 }
        guard known.count == places.count, Set(known).count == known.count, known.count <= maximum else {
            throw ConfigurationError(
                key: ConfigurationKey.sipAddresses.variable,
                problem: "must be up to \(maximum) different ADDRESS or ADDRESS:PORT, separated by commas")
        }
        return known
    }
}
