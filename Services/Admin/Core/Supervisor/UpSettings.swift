import Domain
package import Runtime

/// What `bellwire up` takes from the configuration.
package struct UpSettings: Sendable {
    package let host: String
    package let directory: RunDirectory
    /// Where SIP is served.
    package let sipAddresses: [SocketPlace]
    package let callsInstances: Int
    /// The rtpengines to run.
    package let relays: [Relay]
    /// Nil: a private PostgreSQL is started.
    package let databaseURL: String?
    package let drain: Duration
    /// What was configured, as the services get it.
    package let configured: [String: String]

    package struct Relay: Hashable, Sendable {
        /// Of its control.
        package let host: String
        package let port: UInt16
        /// For RTP.
        package let ports: ClosedRange<UInt16>
    }

    package init(_ configuration: Configuration) throws(ConfigurationError) {
        host = configuration.string(.host, default: "127.0.0.1")
        directory = RunDirectory(configuration.string(.runDirectory, default: ".run"))
        sipAddresses = try configuration.sipAddresses(maximum: Slot.count)
        callsInstances = try configuration.int(.callsInstances, default: 1, in: 1...16)
        relays = try UpSettings.relays(configuration, host: host)
        databaseURL = configuration.string(.databaseURL)
        drain = try configuration.seconds(.drainSeconds, default: .seconds(10), in: 0...600)
        for key in [ConfigurationKey.rpcEndpoint, .eventsEndpoint] where configuration.string(key) != nil {
            throw ConfigurationError(
                key: key.variable, problem: "is for one service; `bellwire up` starts them all")
        }
        var configured: [String: String] = [:]
        for key in ConfigurationKey.allCases {
            if let value = configuration.string(key) { configured[key.variable] = value }
        }
        self.configured = configured
    }

    /// They share the RTP ports out.
    private static func relays(_ configuration: Configuration, host: String) throws(ConfigurationError) -> [Relay] {
        let ports = try configuration.ports(.relayPorts, default: 16_384...26_383)
        let addresses = configuration.string(.rtpengine, default: "\(host):2223").split(
            separator: ",", omittingEmptySubsequences: false)
        let share = ports.count / addresses.count / 2 * 2
        var relays: [Relay] = []
        for (index, text) in addresses.enumerated() {
            guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0,
                share > 1
            else {
                throw ConfigurationError(
                    key: ConfigurationKey.rtpengine.variable, problem: "must be ADDRESS:PORT, or several")
            }
            let first = Int(ports.lowerBound) + index * share
            relays.append(
                Relay(
                    host: text[..<colon].filter { $0 != " " }, port: port,
                    ports: UInt16(first)...UInt16(addresses.count == 1 ? Int(ports.upperBound) : first + share - 1)))
        }
        return relays
    }

    /// What must be free before anything is started.
    package var ports: [PortClaim] {
        let sipKey =
            configured[ConfigurationKey.sipAddresses.variable] == nil
            ? "\(ConfigurationKey.sipPort.variable) or \(ConfigurationKey.host.variable)"
            : ConfigurationKey.sipAddresses.variable
        let sip = sipAddresses.flatMap { place in
            [PortClaim.Transport.udp, .tcp].map {
                PortClaim(host: place.host, port: place.port, transport: $0, purpose: "SIP", key: sipKey)
            }
        }
        return sip
            + relays.map {
                PortClaim(
                    host: $0.host, port: $0.port, transport: .udp, purpose: "rtpengine's control",
                    key: ConfigurationKey.rtpengine.variable)
            }
    }

    /// The environment of the services, and what `bellwire.env` holds.
    package func environment(databaseURL: String) -> [String: String] {
        var environment = configured
        environment[ConfigurationKey.host.variable] = host
        environment[ConfigurationKey.runDirectory.variable] = directory.path
        environment[ConfigurationKey.databaseURL.variable] = databaseURL
        return environment
    }
}
