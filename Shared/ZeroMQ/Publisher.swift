import Glibc
import Runtime

/// Publishes to whoever listens now: a hint, never the truth. A subscriber that does not keep up loses messages.
public final class Publisher: Sendable {
    /// Touched on the loop's thread only.
    private struct Listening {
        let socket: ZeroMQSocket
        /// Only where peers can be refused.
        let monitor: SocketMonitor?
    }

    /// The address bound, with the port that was really taken, and with our key where it is CURVE's.
    public let address: String
    private let loop: SocketLoop
    private let ownsLoop: Bool
    private let listening: LoopOwned<Listening>

    /// Binds. For `ipc://` any file at the path is replaced: the caller knows that its owner is gone; only this user may
    /// connect.
    /// - Parameters:
    ///   - queue: messages that may wait for one subscriber.
    ///   - curve: who may listen; nil: anybody who reaches the address.
    ///   - loop: shares another loop's thread; nil: one of its own.
    public init(
        address: String, queue: Int = 10_000, curve: CurveListener? = nil, loop: SocketLoop? = nil
    ) async throws {
        let ownLoop = try loop ?? SocketLoop(name: "publisher")
        self.loop = ownLoop
        ownsLoop = loop == nil
        let made = await ownLoop.run { () -> Result<(LoopOwned<Listening>, String), ZeroMQError> in
            do throws(ZeroMQError) {
                let socket = try ZeroMQSocket(.publisher)
                // What is received are subscriptions. With room for one only, libzmq 4.3.4 never reads those of a peer whose
                // key has got a name: it would be connected, and hear nothing.
                try socket.setHighWaterMark(send: Int32(queue), receive: 100)
                var monitor: SocketMonitor?
                if let curve {
                    try socket.setCurve(curve)
                    monitor = try Publisher.watch(socket, curve, on: ownLoop)
                }
                try socket.bind(address)
                if address.hasPrefix("ipc://") { chmod(String(address.dropFirst(6)), 0o600) }
                let bound = PeerAddress(location: socket.lastEndpoint, key: curve?.credentials.secret.publicKey)
                return .success((LoopOwned(Listening(socket: socket, monitor: monitor)), bound.description))
            } catch {
                return .failure(error)
            }
        }
        switch made {
        case .success(let pair): (listening, self.address) = pair
        case .failure(let error):
            if loop == nil { await ownLoop.stop() }
            throw error
        }
    }

    /// Counts peers that did not get as far as showing a key.
    private static func watch(
        _ socket: ZeroMQSocket, _ curve: CurveListener, on loop: SocketLoop
    ) throws(ZeroMQError) -> SocketMonitor {
        let monitor = try SocketMonitor(socket)
        loop.add(monitor.socket, isRare: true) { [unowned monitor] in
            var worked = false
            while let event = monitor.next() {
                worked = true
                if case .handshakeFailed = event { curve.countFailedHandshake() }
            }
            return worked
        }
        return monitor
    }

    /// Sends to every subscriber whose prefix the message starts with. Never waits.
    public func publish(_ message: [UInt8]) {
        let listening = listening
        loop.post { _ = listening.value.socket.send(message) }
    }

    /// Unbinds and closes.
    public func close() async {
        let (listening, loop) = (listening, loop)
        await loop.run {
            if let monitor = listening.value.monitor {
                loop.remove(monitor.socket)
                monitor.close()
            }
            listening.value.socket.close()
        }
        if ownsLoop { await loop.stop() }
    }
}
