public import Observability
import Synchronization

/// The gate of one listening socket: who may pass, and how many did not.
public final class CurveListener: Sendable {
    /// Keys told of in the log, so that one peer that tries on and on does not fill it.
    private static let toldAtMost = 100

    public let credentials: CurveCredentials
    let domain: String
    private let withoutCurve: Counter
    private let handler: ZAPHandler

    /// - Parameter socket: a word for the counter `curve_refused_peers_total`.
    public init(_ credentials: CurveCredentials, socket: String, logger: Logger, counters: Counters) throws(ZeroMQError)
    {
        guard let handler = ZAPHandler.shared else { throw ZeroMQError("zap handler") }
        self.handler = handler
        self.credentials = credentials
        let refused = counters.counter("curve_refused_peers_total", ["socket": socket, "reason": "unknownKey"])
        withoutCurve = counters.counter("curve_refused_peers_total", ["socket": socket, "reason": "handshake"])
        let told = Told()
        domain = handler.add { key in
            if credentials.allowed.find(key) != nil { return true }
            refused.increment()
            if told.isNew(key) {
                logger.warning("a peer was refused, its key is not allowed", [.key: .trusted(key.description)])
            }
            return false
        }
    }

    deinit { handler.remove(domain) }

    /// A peer that did not get as far as showing a key: it speaks no CURVE, or does not know our key.
    public func countFailedHandshake() { withoutCurve.increment() }

    private final class Told: Sendable {
        private let keys = Mutex<Set<CurvePublicKey>>([])

        func isNew(_ key: CurvePublicKey) -> Bool {
            keys.withLock { $0.count < CurveListener.toldAtMost && $0.insert(key).inserted }
        }
    }
}
