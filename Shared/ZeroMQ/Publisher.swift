import Runtime

/// Publishes to whoever listens now: a hint, never the truth. A subscriber that does not keep up loses messages.
public final class Publisher: Sendable {
    /// The address bound, with the port that was really taken, and with our key where it is CURVE's.
    public let address: String
    private let loop: SocketLoop
    private let ownsLoop: Bool
    private let socket: LoopOwned<ZeroMQSocket>
    private let curve: CurveListener?

    /// Binds. For `ipc://` any file at the path is replaced: the caller knows that its owner is gone.
    /// - Parameters:
    ///   - queue: messages that may wait for one subscriber.
    ///   - curve: who may listen; nil: anybody who reaches the address.
    ///   - loop: shares another loop's thread; nil: one of its own.
    public init(
        address: String, queue: Int = 10_000, curve: CurveListener? = nil, loop: SocketLoop? = nil
    ) async throws {
        self.curve = curve
        self.loop = try loop ?? SocketLoop(name: "publisher")
        ownsLoop = loop == nil
        let made = await self.loop.run { () -> Result<(LoopOwned<ZeroMQSocket>, String), ZeroMQError> in
            do throws(ZeroMQError) {
                let socket = try ZeroMQSocket(.publisher)
                try socket.setHighWaterMark(send: Int32(queue), receive: 1)
                if let curve { try socket.setCurve(curve) }
                try socket.bind(address)
                let bound = PeerAddress(location: socket.lastEndpoint, key: curve?.credentials.secret.publicKey)
                return .success((LoopOwned(socket), bound.description))
            } catch {
                return .failure(error)
            }
        }
        switch made {
        case .success(let pair): (socket, self.address) = pair
        case .failure(let error):
            if loop == nil { await self.loop.stop() }
            throw error
        }
    }

    /// Sends to every subscriber whose prefix the message starts with. Never waits.
    public func publish(_ message: [UInt8]) {
        let socket = socket
        loop.post { _ = socket.value.send(message) }
    }

    /// Unbinds and closes.
    public func close() async {
        let socket = socket
        await loop.run { socket.value.close() }
        if ownsLoop { await loop.stop() }
    }
}
