import CZMQ
import Observability
import Synchronization

/// Answers libzmq's question whether a peer's key may connect (ZeroMQ RFC 27, ZAP 1.0). One for the process, as libzmq
/// wants it; each listening socket has a domain of its own. A domain that is not there lets nobody in.
final class ZAPHandler: Sendable {
    /// Nil: libzmq has no socket or thread left; who would serve CURVE then fails to start.
    static let shared = ZAPHandler()

    typealias Check = @Sendable (CurvePublicKey) -> Bool

    private static let address = "inproc://zeromq.zap.01"
    private let loop: SocketLoop
    private let domains = Mutex<[String: Check]>([:])
    private let count = Atomic<Int>(0)

    private init?() {
        guard let loop = try? SocketLoop(name: "zap") else { return nil }
        self.loop = loop
        // Bound here, then handed to the loop's thread, which alone touches it from there on.
        guard let socket = try? ZeroMQSocket(.reply), (try? socket.bind(ZAPHandler.address)) != nil else { return nil }
        let owned = LoopOwned(socket)
        loop.post { [self] in loop.add(owned.value) { [unowned self] in answer(on: owned.value) } }
    }

    /// A domain whose keys `check` decides on, from now until `remove`.
    func add(_ check: @escaping Check) -> String {
        let domain = "bellwire-\(count.wrappingAdd(1, ordering: .relaxed).newValue)"
        domains.withLock { $0[domain] = check }
        return domain
    }

    func remove(_ domain: String) { domains.withLock { $0[domain] = nil } }

    private func answer(on socket: ZeroMQSocket) -> Bool {
        var worked = false
        while true {
            var parts: [[UInt8]] = []
            var more = true
            while more {
                guard
                    let follows = socket.receive({ part, more in
                        parts.append([UInt8](part))
                        return more
                    })
                else { return worked }
                more = follows
            }
            worked = true
            let user = user(of: parts)
            let answer: [[UInt8]] = [
                Array("1.0".utf8), parts.count > 1 ? parts[1] : [], Array((user == nil ? "400" : "200").utf8),
                Array((user == nil ? "not an allowed key" : "OK").utf8), Array((user?.description ?? "").utf8), [],
            ]
            for (index, part) in answer.enumerated() { _ = socket.send(part, more: index < answer.count - 1) }
        }
    }

    /// Version, request id, domain, address, identity, mechanism, credentials.
    private func user(of parts: [[UInt8]]) -> CurvePublicKey? {
        guard parts.count == 7, parts[0].elementsEqual("1.0".utf8), parts[5].elementsEqual("CURVE".utf8),
            parts[6].count == CurveText.keyBytes,
            let check = domains.withLock({ $0[String(decoding: parts[2], as: UTF8.self)] })
        else { return nil }
        let key = CurvePublicKey(bytes: parts[6])
        return check(key) ? key : nil
    }
}
