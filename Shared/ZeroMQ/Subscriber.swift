import Runtime

/// Listens to any number of publishers. Messages may be missing: whoever needs all of them numbers them.
public final class Subscriber: Sendable {
    /// Touched on the loop's thread only.
    private final class Connections {
        let socket: ZeroMQSocket
        let monitor: SocketMonitor
        /// Who refused us, or may not be connected to: libzmq does not try those again by itself.
        var refused: Set<String> = []

        init(_ socket: ZeroMQSocket) throws(ZeroMQError) {
            self.socket = socket
            monitor = try SocketMonitor(socket)
        }

        func connect(_ address: PeerAddress, _ curve: CurveCredentials?) {
            do throws(ZeroMQError) {
                try socket.connect(address, curve) { _ in true }
            } catch {
                refused.insert(address.location)
            }
        }

        func receiveEvents() -> Bool {
            var worked = false
            while let event = monitor.next() {
                worked = true
                if case .handshakeFailed(let location) = event { refused.insert(location) }
            }
            return worked
        }
    }

    private let loop: SocketLoop
    private let ownsLoop: Bool
    private let connections: LoopOwned<Connections>
    private let curve: CurveCredentials?

    /// - Parameters:
    ///   - topic: of the messages that are wanted.
    ///   - queue: batches that may wait from one publisher; see `Publisher`.
    ///   - curve: for publishers that want it; those must be among its allowed keys.
    ///   - loop: shares another loop's thread; nil: one of its own.
    ///   - receive: called for each message on the loop's thread; must not wait.
    public init(
        topic: UInt8, queue: Int = 2000, curve: CurveCredentials? = nil, loop: SocketLoop? = nil,
        receive: @escaping @Sendable ([UInt8]) -> Void
    ) async throws {
        let ownLoop = try loop ?? SocketLoop(name: "subscriber")
        self.loop = ownLoop
        ownsLoop = loop == nil
        self.curve = curve
        let made = await ownLoop.run { () -> Result<LoopOwned<Connections>, ZeroMQError> in
            do throws(ZeroMQError) {
                let socket = try ZeroMQSocket(.subscriber)
                try socket.setHighWaterMark(send: 100, receive: Int32(queue))
                try socket.setReconnectInterval(milliseconds: 50, maximum: 1000)
                try socket.subscribe(prefix: [topic])
                ownLoop.add(socket, whenReadable: true) { [unowned socket] in
                    for _ in 0..<16 {
                        guard socket.receive({ part, _ in MessageBatch.read(part, receive) }) != nil else {
                            return false
                        }
                    }
                    return true
                }
                let connections = try Connections(socket)
                ownLoop.add(connections.monitor.socket, whenReadable: true) { [unowned connections] in
                    connections.receiveEvents()
                }
                return .success(LoopOwned(connections))
            } catch {
                return .failure(error)
            }
        }
        switch made {
        case .success(let connections): self.connections = connections
        case .failure(let error):
            if loop == nil { await ownLoop.stop() }
            throw error
        }
    }

    /// Connects, and connects again whenever the connection is lost. An address with a key is connected to only if that
    /// is allowed; see `PeerAddress`.
    public func connect(_ address: String) {
        let curve = curve
        change { connections in
            if let address = PeerAddress(address) { connections.connect(address, curve) }
        }
    }

    public func disconnect(_ address: String) {
        change { connections in
            guard let address = PeerAddress(address) else { return }
            connections.refused.remove(address.location)
            connections.socket.disconnect(address.location)
        }
    }

    /// Connects once more to those of the addresses that have refused us, or were refused: the keys may be known by now.
    public func retry(_ addresses: Set<String>) {
        let curve = curve
        change { connections in
            let refused = connections.refused
            connections.refused = []
            for address in addresses.compactMap(PeerAddress.init) where refused.contains(address.location) {
                connections.socket.disconnect(address.location)
                connections.connect(address, curve)
            }
        }
    }

    private func change(_ body: @escaping @Sendable (Connections) -> Void) {
        let (connections, loop) = (connections, loop)
        loop.post {
            body(connections.value)
            // It may have taken in news of messages, of which the descriptor does not tell any more.
            loop.look(at: connections.value.socket)
        }
    }

    public func close() async {
        let (connections, loop) = (connections, loop)
        await loop.run {
            loop.remove(connections.value.monitor.socket)
            loop.remove(connections.value.socket)
            connections.value.monitor.close()
            connections.value.socket.close()
        }
        if ownsLoop { await loop.stop() }
    }
}
