public import Observability
public import Runtime
import Synchronization
public import ZeroMQ

/// Serves handlers over ZeroMQ on one address: a ROUTER socket on a thread of its own.
public final class RPCServer: Component {
    private struct Started {
        let core: ServerCore
        let address: String
    }

    public let name = "rpc server"
    private let service: String
    private let wantedAddress: String
    private let handlers: [any RPCHandler]
    private let logger: Logger
    private let counters: Counters
    private let options: RPCServerOptions
    private let curve: CurveCredentials?
    private let started = Mutex<Started?>(nil)

    /// - Parameters:
    ///   - service: `service/instance` of this process, for logs.
    ///   - address: `ipc://PATH` or `tcp://HOST:PORT`; port `*` takes a free one, see `address`.
    ///   - curve: between hosts: our key, and those that may call, each in its roles only. Nil: whoever reaches the address
    ///     is believed.
    public init(
        service: String, address: String, handlers: [any RPCHandler], logger: Logger, counters: Counters,
        options: RPCServerOptions = RPCServerOptions(), curve: CurveCredentials? = nil
    ) {
        self.curve = curve
        self.service = service
        wantedAddress = address
        self.handlers = handlers
        self.logger = logger
        self.counters = counters
        self.options = options
    }

    deinit {
        guard let core = started.withLock({ $0.take()?.core }) else { return }
        core.loop.post { core.close() }
        core.loop.stopWithoutWaiting()
    }

    /// Where the server listens: with the port that was really taken once started, and its key where it has one.
    public var address: String { started.withLock { $0?.address } ?? wantedAddress }

    /// Binds. Throws `RPCServerError`, which names the address; SystemError without descriptors or memory.
    public func start() async throws {
        let loop = try SocketLoop(name: "rpc server")
        let listener: CurveListener?
        do {
            listener = try curve.map { try CurveListener($0, socket: "rpc", logger: logger, counters: counters) }
        } catch {
            await loop.stop()
            throw error
        }
        let core = ServerCore(
            loop: loop, handlers: handlers, options: options, curve: listener, logger: logger, counters: counters)
        let wanted = wantedAddress
        switch await loop.run({ core.open(wanted) }) {
        case .success(let bound):
            let address = PeerAddress(location: bound, key: curve?.secret.publicKey).description
            started.withLock { $0 = Started(core: core, address: address) }
            logger.info("rpc listens", [.address: .trusted(address)])
        case .failure(let error):
            await loop.stop()
            throw error
        }
    }

    /// Refuses new calls with `unavailable` so that clients go elsewhere, and lets the running ones finish for
    /// `options.drainLimit` at most. A stream on which nothing moves for a quarter of a second is ended at once.
    public func drain() async {
        guard let core = started.withLock({ $0?.core }) else { return }
        await core.drain()
    }

    /// Drains, cancels what is left, closes.
    public func stop() async {
        guard let core = started.withLock({ $0?.core }) else { return }
        await core.drain()
        started.withLock { $0 = nil }
        await core.loop.run { core.close() }
        await core.loop.stop()
    }

    /// Goes away as a killed process does: without a word to anybody. For tests.
    package func crash() async {
        guard let core = started.withLock({ $0.take()?.core }) else { return }
        await core.loop.run { core.close() }
        await core.loop.stop()
    }
}
