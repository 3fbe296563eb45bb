package import Runtime

/// What `bellwire up` takes from the configuration.
package struct UpSettings: Sendable {
    package let host: String
    package let directory: RunDirectory
    package let sipPort: UInt16
    /// rtpengine's control address.
    package let relayHost: String
    package let relayPort: UInt16
    package let relayPorts: ClosedRange<UInt16>
    /// Nil: a private PostgreSQL is started.
    package let databaseURL: String?
    package let drain: Duration
    /// What was configured, as the services get it.
    package let configured: [String: String]

    package init(_ configuration: Configuration) throws(ConfigurationError) {
        host = configuration.string(.host, default: "127.0.0.1")
        directory = RunDirectory(configuration.string(.runDirectory, default: ".run"))
        sipPort = UInt16(try configuration.int(.sipPort, default: 5060, in: 1...65_535))
        let relay = configuration.string(.rtpengine, default: "\(host):2223")
        let parts = relay.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let port = UInt16(parts[1]), port > 0
        else {
            throw ConfigurationError(key: ConfigurationKey.rtpengine.variable, problem: "must be ADDRESS:PORT")
        }
        relayHost = String(parts[0])
        relayPort = port
        relayPorts = try configuration.ports(.relayPorts, default: 16_384...26_383)
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

    /// What must be free before anything is started.
    package var ports: [PortClaim] {
        let sipKey = "\(ConfigurationKey.sipPort.variable) or \(ConfigurationKey.host.variable)"
        return [
            PortClaim(host: host, port: sipPort, transport: .udp, purpose: "SIP", key: sipKey),
            PortClaim(host: host, port: sipPort, transport: .tcp, purpose: "SIP", key: sipKey),
            PortClaim(
                host: relayHost, port: relayPort, transport: .udp, purpose: "rtpengine's control",
                key: ConfigurationKey.rtpengine.variable),
        ]
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
