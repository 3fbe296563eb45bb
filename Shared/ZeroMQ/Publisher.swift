import Glibc
import Runtime
import Synchronization

/// Publishes to whoever listens now: a hint, never the truth. A subscriber that does not keep up loses messages.
///
/// A message leaves at once. What is published while the socket's thread is busy with the one before goes out together.
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
    private let queue: Int
    /// Published, and not yet taken by the socket's thread.
    private let pending = Mutex<[MessageBatch]>([])

    /// Binds. For `ipc://` any file at the path is replaced: the caller knows that its owner is gone; only this user may
    /// connect.
    /// - Parameters:
    ///   - queue: batches that may wait for one subscriber: of what was published at one time, at most 16 KB.
    ///   - curve: who may listen; nil: anybody who reaches the address.
    ///   - loop: shares another loop's thread; nil: one of its own.
    public init(
        address: String, queue: Int = 2000, curve: CurveListener? = nil, loop: SocketLoop? = nil
    ) async throws {
        let ownLoop = try loop ?? SocketLoop(name: "publisher")
        self.loop = ownLoop
        ownsLoop = loop == nil
        self.queue = queue
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
        loop.add(monitor.socket, whenReadable: true) { [unowned monitor] in
            var worked = false
            while let event = monitor.next() {
                worked = true
                if case .handshakeFailed = event { curve.countFailedHandshake() }
            }
            return worked
        }
        return monitor
    }

    /// Sends to every subscriber of the topic, in the order of the calls. Never waits.
    public func publish(_ message: [UInt8], topic: UInt8) {
        let isFirst = pending.withLock { batches in
            let isFirst = batches.isEmpty
            if !isFirst, batches[batches.count - 1].append(message, topic: topic) { return false }
            // The thread is far behind: as with a subscriber that is, messages are lost.
            if batches.count < queue { batches.append(MessageBatch(topic: topic, first: message)) }
            return isFirst
        }
        // Those that come before the thread is there go with it.
        guard isFirst else { return }
        let isPosted = loop.post { [self] in
            for batch in takePending() { _ = listening.value.socket.send(batch.bytes) }
        }
        if !isPosted { _ = takePending() }
    }

    private func takePending() -> [MessageBatch] {
        pending.withLock { batches in
            defer { batches = [] }
            return batches
        }
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
