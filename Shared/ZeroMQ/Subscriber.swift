import Runtime

/// Listens to any number of publishers. Messages may be missing: whoever needs all of them numbers them.
public final class Subscriber: Sendable {
    private let loop: SocketLoop
    private let ownsLoop: Bool
    private let socket: LoopOwned<ZeroMQSocket>

    /// - Parameters:
    ///   - queue: messages that may wait from one publisher.
    ///   - prefix: only messages that start with it.
    ///   - loop: shares another loop's thread; nil: one of its own.
    ///   - receive: called for each message on the loop's thread; must not wait.
    public init(
        prefix: [UInt8] = [], queue: Int = 10_000, loop: SocketLoop? = nil,
        receive: @escaping @Sendable ([UInt8]) -> Void
    ) async throws {
        let ownLoop = try loop ?? SocketLoop(name: "subscriber")
        self.loop = ownLoop
        ownsLoop = loop == nil
        let made = await ownLoop.run { () -> Result<LoopOwned<ZeroMQSocket>, ZeroMQError> in
            do throws(ZeroMQError) {
                let socket = try ZeroMQSocket(.subscriber)
                try socket.setHighWaterMark(send: 1, receive: Int32(queue))
                try socket.setReconnectInterval(milliseconds: 50, maximum: 1000)
                try socket.subscribe(prefix: prefix)
                ownLoop.add(socket) { [unowned socket] in
                    for count in 0..<256 {
                        guard let message = socket.receive({ part, _ in [UInt8](part) }) else { return count > 0 }
                        receive(message)
                    }
                    return true
                }
                return .success(LoopOwned(socket))
            } catch {
                return .failure(error)
            }
        }
        switch made {
        case .success(let socket): self.socket = socket
        case .failure(let error):
            if loop == nil { await ownLoop.stop() }
            throw error
        }
    }

    /// Connects, and connects again whenever the connection is lost.
    public func connect(_ address: String) {
        let socket = socket
        loop.post { try? socket.value.connect(address) }
    }

    public func disconnect(_ address: String) {
        let socket = socket
        loop.post { socket.value.disconnect(address) }
    }

    public func close() async {
        let (socket, loop) = (socket, loop)
        await loop.run {
            loop.remove(socket.value)
            socket.value.close()
        }
        if ownsLoop { await loop.stop() }
    }
}
