import Bus
import Observability
import RPC
import Runtime
import ZeroMQ

/// Where an instance listens, and with which keys: sockets in the run folder, or addresses that other hosts reach. Those
/// want CURVE.
struct ListeningSettings: Sendable {
    /// `ipc://PATH` or `tcp://ADDRESS:PORT`.
    let rpc: String
    let events: String?
    /// Also when we listen on this host only: others may not.
    let curve: CurveCredentials?

    init(
        _ configuration: Configuration, instance: String, runDirectory: RunDirectory, logger: Logger
    ) throws {
        rpc = try configuration.string(.rpcEndpoint) ?? "ipc://" + runDirectory.socket("\(instance).rpc")
        let host = try ListeningSettings.host(of: rpc, .rpcEndpoint, mayChoosePort: false)
        events = configuration.string(.eventsEndpoint) ?? host.map { "tcp://\($0):*" }
        let eventsHost = try events.flatMap {
            try ListeningSettings.host(of: $0, .eventsEndpoint, mayChoosePort: true)
        }
        curve = try CurveCredentials.read(configuration, logger: logger)
        guard host == nil && eventsHost == nil || curve != nil else {
            throw ConfigurationError(
                key: ConfigurationKey.curveKey.variable,
                problem: "is required: other hosts are talked to by CURVE only; see `bellwire curve create`")
        }
    }

    /// As whom the RPC server listens.
    var serverCurve: CurveCredentials? { rpc.hasPrefix("tcp://") ? curve : nil }

    /// As the instance table has it.
    func endpoint(_ service: String, _ instance: String) -> Endpoint {
        Endpoint(
            service: service, instance: instance,
            address: PeerAddress(location: rpc, key: serverCurve?.secret.publicKey).description)
    }

    /// Says so when no process with the same list of keys would call us.
    func warn(_ service: String, _ logger: Logger) {
        guard let curve = serverCurve else { return }
        if curve.allowed.find(curve.secret.publicKey)?.roles.contains(service) != true {
            logger.warning(
                "this instance's own key is not among the allowed keys with its service as a role: nobody will call it",
                [.key: .trusted(curve.secret.publicKey.description)])
        }
    }

    /// The address of a tcp endpoint; nil for a socket.
    private static func host(
        of endpoint: String, _ key: ConfigurationKey, mayChoosePort: Bool
    ) throws(ConfigurationError) -> String? {
        if endpoint.hasPrefix("ipc:///") { return nil }
        let wanted = "must be ipc:///PATH or tcp://ADDRESS:PORT, with an address that other hosts reach"
        guard endpoint.hasPrefix("tcp://"), let colon = endpoint.lastIndex(of: ":") else {
            throw ConfigurationError(key: key.variable, problem: wanted)
        }
        let host = String(endpoint[..<colon].dropFirst("tcp://".count))
        let port = String(endpoint[endpoint.index(after: colon)...])
        guard !["", "*", "0.0.0.0", "[::]", "/"].contains(host), !host.contains("#"),
            UInt16(port).map({ $0 > 0 }) ?? (mayChoosePort && port == "*")
        else { throw ConfigurationError(key: key.variable, problem: wanted) }
        return host
    }
}
