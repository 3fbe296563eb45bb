import ZeroMQ

extension ServerCore {
    /// Messages, of up to 64 KiB each but for large frames, that libzmq keeps for one peer.
    private static let highWaterMark: Int32 = 500

    /// Binds and begins to serve; returns the address with its real port.
    func open(_ address: String) -> Result<String, RPCServerError> {
        do throws(RPCServerError) {
            listening = try ListeningAddress(address)
        } catch {
            return .failure(error)
        }
        do throws(ZeroMQError) {
            let socket = try ZeroMQSocket(.router)
            try socket.setRouterMandatory()
            try socket.setHighWaterMark(send: Self.highWaterMark, receive: Self.highWaterMark)
            try socket.setMaximumMessage(bytes: Int64(Frame.maximumBytes))
            let monitor = try SocketMonitor(socket)
            self.socket = socket
            self.monitor = monitor
            if let curve { try socket.setCurve(curve) }
            try socket.bind(address)
            listening?.restrict()
            loop.add(
                socket, flush: { [unowned self] in sendBatches() }, drain: { [unowned self] in receive() })
            loop.add(monitor.socket, whenReadable: true) { [unowned self] in receiveEvents() }
            loop.setTimer(due: 0) { [unowned self] now in tick(now) }
            boundAddress = socket.lastEndpoint
            return .success(boundAddress)
        } catch {
            close()
            if error.isAddressInUse { return .failure(.addressInUse(address)) }
            return .failure(.cannotListen(address, reason: error.description))
        }
    }

    /// Returns when no handler runs, or the limit has passed.
    func drain() async {
        let limit = options.drainLimit
        await loop.run { [self] in
            isDraining = true
            for peer in Array(peers.values) { send(Frame(.goodbye), to: peer) }
        }
        let timer = Task { [self] in
            guard (try? await Task.sleep(for: limit)) != nil else { return }
            await loop.run { [self] in cancelAll() }
            // Handlers that obey their cancellation return now; the others are left behind.
            guard (try? await Task.sleep(for: .seconds(1))) != nil else { return }
            await loop.run { [self] in resumeIdle() }
        }
        await withUnsafeContinuation { continuation in
            let isPosted = loop.post { [self] in
                if running == 0 { continuation.resume() } else { whenIdle.append(continuation) }
            }
            if !isPosted { continuation.resume() }
        }
        timer.cancel()
    }

    private func cancelAll() {
        for call in peers.values.flatMap(\.calls.values) {
            end(call, RPCError(.unavailable, "the instance is going away"), answer: true)
        }
    }

    private func resumeIdle() {
        let waiters = whenIdle
        whenIdle = []
        for waiter in waiters { waiter.resume() }
    }

    /// Cancels what still runs, and closes the socket. Gives the address up only once libzmq has.
    func close() {
        sendBatches()
        for peer in Array(peers.values) { forget(peer) }
        if let monitor { loop.remove(monitor.socket) }
        if let socket {
            loop.remove(socket)
            if !boundAddress.isEmpty { socket.unbind(boundAddress) }
        }
        if let monitor, !boundAddress.isEmpty { monitor.waitForClose(milliseconds: 1000) }
        monitor?.close()
        socket?.close()
        monitor = nil
        socket = nil
        loop.setTimer(due: .max) { _ in .max }
        listening?.release()
        listening = nil
    }
}
