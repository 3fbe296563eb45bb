public import Observability

/// Serves handlers over ZeroMQ on one address.
public final class RPCServer: Sendable {
    /// - Parameters:
    ///   - service: `service/instance` of this process, for logs.
    ///   - address: `ipc://PATH` or `tcp://HOST:PORT`; port `*` or 0 takes a free one, see `address`.
    public init(
        service: String, address: String, handlers: [any RPCHandler], logger: Logger, counters: Counters,
        options: RPCServerOptions = RPCServerOptions()
    ) {
        fatalError("being written")
    }

    public let name = "rpc"

    /// Binds. An address in use: an error that names it.
    public func start() async throws {}

    /// Refuses new calls with `unavailable` so that clients go elsewhere, lets the running ones finish for
    /// `options.drainLimit` at most.
    public func drain() async {}

    /// Drains, then closes.
    public func stop() async {}
}
