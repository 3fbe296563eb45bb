/// Every key of the configuration. The environment variable, or the line of the configuration file, is
/// `BELLWIRE_` and the raw value.
public enum ConfigurationKey: String, Sendable, CaseIterable {
    /// The address everything binds. Default 127.0.0.1.
    case host = "HOST"
    /// Where a run keeps all its state. Default `.run` in the working directory.
    case runDirectory = "RUN_DIR"
    /// A libpq connection URI of the database's owner, or of the service's own role.
    case databaseURL = "DATABASE_URL"
    /// Connections a process keeps to the database. Default 8.
    case databaseConnections = "DATABASE_CONNECTIONS"
    /// debug, info, notice, warning or error. Default info.
    case logLevel = "LOG_LEVEL"
    /// The instance's name, unique in its service. Default `<service>-1`.
    case instance = "INSTANCE"
    /// Where the instance takes RPC: `ipc://PATH` or `tcp://ADDRESS:PORT`. Default a socket in the run directory.
    case rpcEndpoint = "RPC_ENDPOINT"
    /// Where the instance publishes events' live path: `ipc://PATH` or `tcp://ADDRESS:PORT`. Default a socket in the run
    /// directory; with RPC over tcp, a free port of the same address.
    case eventsEndpoint = "EVENTS_ENDPOINT"
    /// The file with this process's own CURVE key. Required for `tcp://`.
    case curveKey = "CURVE_KEY"
    /// The file with the CURVE keys that may connect, and their roles. Required for `tcp://`.
    case curveAllowed = "CURVE_ALLOWED"
    /// The port for SIP over UDP and TCP. Default 5060.
    case sipPort = "SIP_PORT"
    /// Where SIP is served, `ADDRESS` or `ADDRESS:PORT`, separated by commas; the same for all instances of `calls`, which share
    /// them: one that is gone or drains leaves its addresses, with their calls, to the others. Default the host.
    case sipAddresses = "SIP_ADDRESSES"
    /// How many instances of `calls` `bellwire up` runs. Default 1.
    case callsInstances = "CALLS_INSTANCES"
    /// How long a SIP session lasts that nobody refreshes (RFC 4028), in seconds; 0: no timers. Default 1800.
    case sessionExpires = "SESSION_EXPIRES"
    /// The shortest session that a far side may ask for, in seconds. Default 90, the least that RFC 4028 allows.
    case minimumSession = "MIN_SE"
    /// How long a call may go on without a packet from either side, in seconds. Default 30.
    case mediaTimeoutSeconds = "MEDIA_TIMEOUT_SECONDS"
    /// rtpengine's control address, `ADDRESS:PORT`; several with commas between them. Default port 2223 on the host.
    case rtpengine = "RTPENGINE"
    /// RTP ports of rtpengine when `bellwire up` starts it, `FIRST-LAST`. Default 16384-26383.
    case relayPorts = "RELAY_PORTS"
    /// RTP ports of this service, `FIRST-LAST`. Default 26384-30383 for voicemail.
    case rtpPorts = "RTP_PORTS"
    /// Where voicemail keeps its audio. Default `media` in the run directory.
    case mediaDirectory = "MEDIA_DIR"
    /// The longest message. Default 180 seconds.
    case voicemailMaximumSeconds = "VOICEMAIL_MAXIMUM_SECONDS"
    /// A message ends after so long a silence. Default 10 seconds.
    case voicemailSilenceSeconds = "VOICEMAIL_SILENCE_SECONDS"
    /// How long an instance holds its slots without renewing. Default 6 seconds.
    case leaseSeconds = "LEASE_SECONDS"
    /// How long events are kept at least. Default 168 hours.
    case eventsRetentionHours = "EVENTS_RETENTION_HOURS"
    /// How long an instance may take to stop. Default 10 seconds.
    case drainSeconds = "DRAIN_SECONDS"
    /// ISO 3166 region in which numbers without a plus are read where no account says otherwise. Default US.
    case region = "REGION"

    public var variable: String { ConfigurationKey.prefix + rawValue }

    public static let prefix = "BELLWIRE_"

    /// From the name of an environment variable.
    public init?(variable: String) {
        guard variable.hasPrefix(ConfigurationKey.prefix) else { return nil }
        self.init(rawValue: String(variable.dropFirst(ConfigurationKey.prefix.count)))
    }
}
