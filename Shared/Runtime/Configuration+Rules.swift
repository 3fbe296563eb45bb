import Glibc
import Observability

extension Configuration {
    /// What each key's value must be, whoever reads it: a wrong one stops every program, not only the one that needs it.
    func check(_ key: ConfigurationKey) throws(ConfigurationError) {
        switch key {
        case .host: try checkAddress(key)
        case .sipPort: _ = try int(key, default: 1, in: 1...65_535)
        case .databaseConnections: _ = try int(key, default: 2, in: 2...200)
        case .relayPorts, .rtpPorts: _ = try ports(key, default: 1024...1025)
        case .voicemailMaximumSeconds, .voicemailSilenceSeconds: _ = try seconds(key, default: .zero, in: 1...3_600)
        case .leaseSeconds: _ = try seconds(key, default: .zero, in: 1...60)
        case .mediaTimeoutSeconds: _ = try seconds(key, default: .zero, in: 1...3_600)
        case .sessionExpires: _ = try int(key, default: 0, in: 0...86_400)
        case .minimumSession: _ = try int(key, default: 1, in: 1...86_400)
        case .callsInstances: _ = try int(key, default: 1, in: 1...16)
        case .eventsRetentionHours: _ = try int(key, default: 1, in: 1...87_600)
        case .drainSeconds: _ = try seconds(key, default: .zero, in: 0...600)
        case .logLevel: _ = try word(key, default: LogLevel.info)
        default: break
        }
    }

    /// It stands in SIP messages and session descriptions too, so that a name or the unspecified address will not do.
    private func checkAddress(_ key: ConfigurationKey) throws(ConfigurationError) {
        guard let text = string(key) else { return }
        var address = in_addr()
        guard unsafe inet_pton(AF_INET, text, &address) == 1 else {
            throw ConfigurationError(key: key.variable, problem: "must be an IPv4 address, such as 127.0.0.1")
        }
        guard address.s_addr != 0 else {
            throw ConfigurationError(
                key: key.variable, problem: "must be one address that phones reach; \(text) stands for all")
        }
    }
}
