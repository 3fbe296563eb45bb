import Observability
import ZeroMQ

extension ClientCore {
    /// Takes a bounded number of messages; true when there were any.
    func receive(from connection: ClientConnection) -> Bool {
        for count in 0..<256 {
            guard
                var more = connection.socket.receive({ [self] part, more in
                    let garbage = more ? 1 : FrameBatch.read(part) { take($0, from: connection) }
                    if garbage > 0 { badFrames.increment(by: garbage) }
                    return more
                })
            else { return count > 0 }
            while more { more = connection.socket.receive { _, more in more } ?? false }
        }
        return true
    }

    private func take(_ frame: Frame, from connection: ClientConnection) {
        connection.unansweredPings = 0
        switch frame.kind {
        case .response, .streamEnd: finish(frame, connection)
        case .streamItem:
            // A call that was abandoned may still get what was under way.
            guard let call = connection.calls[frame.callID] else { return }
            guard case .stream(let inbox) = call.sink else { return badFrames.increment() }
            call.hasReceived = true
            inbox.deliver(RPCPayload([UInt8](frame.payload)))
        case .pong: break
        case .goodbye: connection.isDraining = true
        case .request, .cancel, .credit, .ping: badFrames.increment()
        }
    }

    private func finish(_ frame: Frame, _ connection: ClientConnection) {
        guard let call = connection.calls[frame.callID] else { return }
        guard frame.status != .ok else {
            guard (frame.kind == .response) == (call.method.kind == .unary) else { return badFrames.increment() }
            return complete(call, .success(RPCPayload([UInt8](frame.payload))))
        }
        if frame.hint == .draining { connection.isDraining = true }
        let text = String(decoding: frame.payload, as: UTF8.self)
        fail(call, RPCError(frame.status, text, hint: frame.hint), answered: true)
    }

    /// What the monitor tells of the connection; true when there was anything.
    func receiveEvents(of connection: ClientConnection) -> Bool {
        var worked = false
        while connections[connection.endpoint] === connection, let event = connection.monitor.next() {
            worked = true
            switch event {
            case .ready:
                connection.cameUp()
            case .disconnected:
                // What the instance answered before it went comes first.
                while receive(from: connection) {}
                connection.wentDown()
                failAll(of: connection)
            case .retrying: failAll(of: connection, unsentOnly: true)
            case .handshakeFailed:
                connection.isRefused = true
                failAll(of: connection, unsentOnly: true)
            case .closed: break
            }
            connectionGauge.set(connections.values.count { $0.isUp })
        }
        return worked
    }

    /// Each second: pings, gives up on the silent, connects to new instances and closes what nobody needs.
    func beat(_ now: UInt64) {
        nextBeat = now + beatInterval
        // It may know our key by now.
        for connection in Array(connections.values) where connection.isRefused && !connection.isUp { drop(connection) }
        for connection in Array(connections.values) where connection.isUp {
            if connection.unansweredPings >= Self.silentPings {
                // Frozen or cut off. A new connection finds out when it is back.
                drop(connection)
            } else {
                connection.unansweredPings += 1
                connection.send(Frame(.ping))
            }
        }
        var live: Set<Endpoint> = []
        for endpoint in services.flatMap({ resolver.instances(of: $0) }) {
            live.insert(endpoint)
            _ = try? connection(to: endpoint)
        }
        for connection in Array(connections.values)
        where !live.contains(connection.endpoint) && connection.outstanding == 0 {
            drop(connection)
        }
        connectionGauge.set(connections.values.count { $0.isUp })
    }
}
