import Observability
import ZeroMQ

extension ServerCore {
    /// A client that lets so many bytes wait is not reading: it is taken for dead.
    private static let maximumWaitingBytes = 64 << 20
    private static let flushInterval: UInt64 = 5_000_000

    func send(_ frame: Frame, text: String, to peer: ServerPeer) {
        var text = text
        text.withUTF8 { send(frame, payload: UnsafeRawBufferPointer($0), to: peer) }
    }

    /// Sends at the end of the loop's turn, in one message with all else that the turn has for the peer.
    func send(
        _ frame: Frame, payload: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        to peer: ServerPeer
    ) {
        guard !peer.isGone else { return }
        if peer.batch.isEmpty { unsent.append(peer) }
        while !peer.batch.append(frame, payload) { transmit(peer) }
    }

    /// Sends what the turn has made.
    func sendBatches() {
        guard !unsent.isEmpty else { return }
        let peers = unsent
        unsent.removeAll(keepingCapacity: true)
        for peer in peers { transmit(peer) }
    }

    /// Sends the peer's batch, or keeps it for later when the connection has no room. A peer that is gone is forgotten.
    private func transmit(_ peer: ServerPeer) {
        guard !peer.batch.isEmpty else { return }
        guard !peer.isGone, let socket else { return peer.batch.removeAll() }
        if peer.waiting.isEmpty {
            switch socket.send(peer.identity, more: true) {
            case .sent:
                _ = peer.batch.send(on: socket)
                return
            case .unreachable:
                peer.batch.removeAll()
                return forget(peer)
            case .full: break
            }
        }
        delayedFrames.increment(by: peer.batch.count)
        let message = peer.batch.take()
        peer.waiting.append(message)
        peer.waitingBytes += message.count
        if peer.waitingBytes > Self.maximumWaitingBytes { return forget(peer) }
        if !mustFlush {
            mustFlush = true
            loop.hastenTimer(MonotonicTime.now() + Self.flushInterval)
        }
    }

    /// Sends what waited, and probes peers whose connection seems to be gone.
    private func flush() {
        guard let socket else { return }
        mustFlush = false
        for peer in Array(peers.values) where !peer.waiting.isEmpty || peer.probes > 0 {
            if peer.probes > 0 {
                peer.probes -= 1
                if peer.waiting.isEmpty {
                    send(Frame(.pong), to: peer)
                    transmit(peer)
                }
            }
            var sent = 0
            while sent < peer.waiting.count {
                let result = socket.send(peer.identity, more: true)
                if result == .unreachable { forget(peer) }
                guard result == .sent else { break }
                _ = socket.send(peer.waiting[sent])
                peer.waitingBytes -= peer.waiting[sent].count
                sent += 1
            }
            if peer.isGone { continue }
            peer.waiting.removeFirst(sent)
            if !peer.waiting.isEmpty || peer.probes > 0 { mustFlush = true }
        }
    }

    // MARK: The timer

    /// Expires deadlines, forgets silent clients, sends what waits.
    func tick(_ now: UInt64) -> UInt64 {
        _ = receiveEvents()
        if now >= earliestDeadline { expire(now) }
        if mustFlush { flush() }
        if now >= nextBeat { beat(now) }
        var next = min(earliestDeadline, nextBeat)
        if mustFlush { next = min(next, now + Self.flushInterval) }
        return next
    }

    private func expire(_ now: UInt64) {
        earliestDeadline = .max
        for peer in Array(peers.values) {
            for call in Array(peer.calls.values) {
                if call.deadline <= now {
                    end(call, .deadlineExceeded, answer: true)
                } else {
                    earliestDeadline = min(earliestDeadline, call.deadline)
                }
            }
        }
    }

    private func beat(_ now: UInt64) {
        // Beats are counted instead of time: a server that was frozen itself finds its clients' pings waiting.
        nextBeat = MonotonicTime.after(options.silenceLimit / 20, from: now)
        for peer in Array(peers.values) {
            peer.silentBeats += 1
            if peer.silentBeats > 20 { forget(peer) }
            guard !peer.isStillAllowed() else { continue }
            for call in Array(peer.calls.values) {
                end(call, RPCError(.unauthenticated, "the key is no longer allowed"), answer: true)
            }
        }
        guard isDraining else { return }
        // A subscription that nothing moves on would outlast any drain; a download that goes on may finish.
        for call in peers.values.flatMap(\.calls.values)
        where call.method.descriptor.kind == .serverStreaming && now > call.lastWrite + 250_000_000 {
            end(call, RPCError(.unavailable, "the instance is going away"), answer: true)
        }
    }

    /// A connection that ended is named by its descriptor only, which may be in use again already: its peer is probed
    /// until the router knows it no more.
    func receiveEvents() -> Bool {
        guard let monitor else { return false }
        var worked = false
        while let event = monitor.next() {
            worked = true
            if case .handshakeFailed = event { curve?.countFailedHandshake() }
            guard case .disconnected(let descriptor) = event else { continue }
            for peer in peers.values where peer.descriptor == descriptor || peer.descriptor == nil {
                peer.probes = 4
                mustFlush = true
            }
        }
        if mustFlush { loop.hastenTimer(MonotonicTime.now() + 1_000_000) }
        return worked
    }
}
