public import Bus
public import Observability
public import RPC
public import Runtime
public import Store

/// What every service process has, built from its configuration: the ground on which a service's parts stand.
public struct ServiceHost: Sendable {
    /// The service's word, like `calls`.
    public let service: String
    /// The instance's name, unique in its service.
    public let instance: String
    public let configuration: Configuration
    /// The address that everything binds.
    public let address: String
    public let runDirectory: RunDirectory
    public let logger: Logger
    public let counters: Counters
    public let database: Database
    public let membership: Membership
    public let events: EventBus
    public let client: RPCClient
    let endpoint: Endpoint
    let listening: ListeningSettings
    /// Asked by this process's signals, and by an operator's `Drain`.
    public let stopRequest: StopRequest
    /// How long the process may take to stop.
    public let drain: Duration

    /// - Parameter slots: whether the service's instances share its slots.
    init(service: String, slots: Bool, configuration: Configuration, stopRequest: StopRequest) throws {
        self.stopRequest = stopRequest
        self.service = service
        self.configuration = configuration
        instance = configuration.string(.instance, default: "\(service)-1")
        guard ServiceHost.isName(instance) else {
            throw ConfigurationError(
                key: ConfigurationKey.instance.variable, problem: "must be 1 to 32 of a-z, 0-9 and -")
        }
        address = configuration.string(.host, default: "127.0.0.1")
        runDirectory = RunDirectory(configuration.string(.runDirectory, default: ".run"))
        logger = Logger(
            service: service, instance: instance, level: try configuration.word(.logLevel, default: LogLevel.info))
        counters = Counters()
        drain = try configuration.seconds(.drainSeconds, default: .seconds(10), in: 0...600)
        let lease = try configuration.seconds(.leaseSeconds, default: .seconds(6), in: 1...60)
        let retention = try configuration.int(.eventsRetentionHours, default: 168, in: 1...87_600)
        let connections = try configuration.int(.databaseConnections, default: 8, in: 2...200)
        let url = try configuration.required(.databaseURL)

        try runDirectory.make()
        listening = try ListeningSettings(
            configuration, instance: instance, runDirectory: runDirectory, logger: logger)
        endpoint = listening.endpoint(service, instance)
        database = Database(
            DatabaseConfiguration(
                url: url, role: "bellwire_\(service)", connections: connections,
                applicationName: "bellwire-\(instance)"),
            logger: logger, counters: counters)
        membership = Membership(
            database: database, endpoint: endpoint, slots: slots, runDirectory: runDirectory.path,
            leaseDuration: lease, logger: logger, counters: counters)
        events = EventBus(
            database: database, membership: membership,
            livePath: LivePathOptions(
                runDirectory: runDirectory.path, endpoint: listening.events, curve: listening.curve),
            retention: .seconds(retention * 3600), logger: logger, counters: counters)
        client = RPCClient(
            caller: "\(service)/\(instance)", resolver: membership, logger: logger, counters: counters,
            curve: listening.curve)
    }

    private static func isName(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}
