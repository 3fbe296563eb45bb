package import Runtime
package import SIP

/// How long calls may go on when their sides are not heard of.
package struct CallLimits: Sendable {
    /// Nil: none are negotiated.
    package var sessionTimers: SessionTimerPolicy?
    /// Without a packet from either side.
    package var mediaTimeout: Duration

    package init(sessionTimers: SessionTimerPolicy? = SessionTimerPolicy(), mediaTimeout: Duration = .seconds(30)) {
        self.sessionTimers = sessionTimers
        self.mediaTimeout = mediaTimeout
    }

    package init(_ configuration: Configuration) throws(ConfigurationError) {
        let interval = try configuration.int(.sessionExpires, default: 1800, in: 0...86_400)
        let minimum = try configuration.int(.minimumSession, default: 90, in: 1...86_400)
        if interval > 0, interval < minimum {
            throw ConfigurationError(
                key: ConfigurationKey.sessionExpires.variable,
                problem: "must be 0, or at least \(ConfigurationKey.minimumSession.variable)")
        }
        self.init(
            sessionTimers: interval == 0
                ? nil : SessionTimerPolicy(interval: UInt32(interval), minimum: UInt32(minimum)),
            mediaTimeout: try configuration.seconds(.mediaTimeoutSeconds, default: .seconds(30), in: 1...3600))
    }
}
