import Runtime

/// What `bellwire up` takes from the configuration.
struct UpSettings: Sendable {
    let host: String
    let directory: RunDirectory
    let sipPort: UInt16
    /// rtpengine's control address.
    let relayHost: String
    let relayPort: UInt16
    let relayPorts: ClosedRange<UInt16>
    /// Nil: a private PostgreSQL is started.
    let databaseURL: String?
    let drain: Duration
    /// What was configured, as the services get it.
    let configured: [String: String]

    init(_ configuration: Configuration) throws(ConfigurationError) {
        host = configuration.string(.host, default: "127.0.0.1")
        directory = RunDirectory(configuration.string(.runDirectory, default: ".run"))
        sipPort = UInt16(try configuration.int(.sipPort, default: 5060, in: 1...65_535))
        let relay = configuration.string(.rtpengine, default: "\(host):2223")
        guard let colon = relay.lastIndex(of: ":"), let port = UInt16(relay[relay.index(after: colon)...]), port > 0 else {
            throw ConfigurationError(key: ConfigurationKey.rtpengine.variable, problem: "must be ADDRESS:PORT")
        }
        relayHost = String(relay[..<colon])
        relayPort = port
        relayPorts = try configuration.ports(.relayPorts, default: 16_384...26_383)
        databaseURL = configuration.string(.databaseURL)
        drain = try configuration.seconds(.drainSeconds, default: .seconds(10), in: 0...3600)
        if configuration.string(.rpcEndpoint) != nil {
            throw ConfigurationError(
                key: ConfigurationKey.rpcEndpoint.variable, problem: "is for one service; `bellwire up` starts them all")
        }
        var configured: [String: String] = [:]
        for key in ConfigurationKey.allCases {
            if let value = configuration.string(key) { configured[key.variable] = value }
        }
        self.configured = configured
    }

    /// What must be free before anything is started.
    var ports: [PortClaim] {
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
    func environment(databaseURL: String) -> [String: String] {
        var environment = configured
        environment[ConfigurationKey.host.variable] = host
        environment[ConfigurationKey.runDirectory.variable] = directory.path
        environment[ConfigurationKey.databaseURL.variable] = databaseURL
        return environment
    }
}
