import Observability
import ZeroMQ

/// The server's state: owned by the socket thread, and so needs no lock.
final class ServerCore: @unchecked Sendable {
    // `@unchecked`: everything mutable is touched on `loop`'s thread only.

    let loop: SocketLoop
    let options: RPCServerOptions
    private let logger: Logger
    private let counters: Counters
    let badFrames: Counter
    /// Frames that had to wait because their client does not keep up.
    let delayedFrames: Counter
    let inFlight: Gauge
    private let connections: Gauge

    private var methods: [UInt64: ServerMethod] = [:]
    var peers: [UInt64: ServerPeer] = [:]
    var socket: ZeroMQSocket?
    var monitor: SocketMonitor?
    var listening: ListeningAddress?
    var boundAddress = ""
    let curve: CurveListener?
    var isDraining = false
    /// Handlers that have not returned.
    private(set) var running = 0
    var whenIdle: [UnsafeContinuation<Void, Never>] = []
    var earliestDeadline = UInt64.max
    var nextBeat: UInt64 = 0
    var mustFlush = false
    /// Peers whose batch is not empty.
    var unsent: [ServerPeer] = []
    /// When the turn's requests were taken in, on both clocks.
    private var arrival: (monotonic: UInt64, instant: ContinuousClock.Instant)?

    init(
        loop: SocketLoop, handlers: [any RPCHandler], options: RPCServerOptions, curve: CurveListener?, logger: Logger,
        counters: Counters
    ) {
        self.loop = loop
        self.curve = curve
        self.options = options
        self.logger = logger
        self.counters = counters
        badFrames = counters.counter("rpc_bad_frames_total")
        delayedFrames = counters.counter("rpc_delayed_frames_total")
        inFlight = counters.gauge("rpc_in_flight")
        connections = counters.gauge("rpc_connections", ["side": "server"])
        for handler in handlers {
            for (index, method) in handler.serviceDescriptor.methods.enumerated() {
                let limit = options.concurrencyByMethod[method.name] ?? options.concurrency
                precondition(methods[method.wireID] == nil, "\(method.fullName) is served twice")
                methods[method.wireID] = ServerMethod(
                    handler: handler, index: index, descriptor: method, limit: limit, counters: counters)
            }
        }
    }

    // MARK: Frames in

    /// Takes a bounded number of messages; true when there were any.
    func receive() -> Bool {
        guard let socket else { return false }
        arrival = nil
        for count in 0..<256 {
            var identity: (UInt64, UInt32)?
            guard
                let hasFrame = socket.receive({ part, more in
                    identity = ServerPeer.key(part).map { ($0, part.loadUnaligned(fromByteOffset: 1, as: UInt32.self)) }
                    return more
                })
            else { return count > 0 }
            guard hasFrame else {
                badFrames.increment()
                continue
            }
            var more = socket.receive { [self] part, more in
                guard let identity, !more else {
                    badFrames.increment()
                    return more
                }
                var sender: ServerPeer?
                let garbage = FrameBatch.read(part) { frame in
                    let peer = sender ?? peer(identity.0, identity.1)
                    sender = peer
                    take(frame, from: peer)
                }
                if garbage > 0 { badFrames.increment(by: garbage) }
                return more
            }
            while more == true { more = socket.receive { _, more in more } }
        }
        return true
    }

    private func peer(_ key: UInt64, _ number: UInt32) -> ServerPeer {
        if let peer = peers[key] {
            peer.silentBeats = 0
            return peer
        }
        let identity = [0] + withUnsafeBytes(of: number) { [UInt8]($0) }
        let peer = ServerPeer(
            identity: identity, key: key, descriptor: socket?.lastPartDescriptor, curve: curve?.credentials.allowed,
            publicKey: curve == nil ? nil : socket?.lastPartKey)
        peers[key] = peer
        connections.set(peers.count)
        return peer
    }

    private func take(_ frame: Frame, from peer: ServerPeer) {
        switch frame.kind {
        case .request: start(frame, from: peer)
        case .cancel:
            if let call = peer.calls[frame.callID] { end(call, .cancelled, answer: false) }
        case .credit: peer.calls[frame.callID]?.grant(frame.argument)
        case .ping: send(Frame(.pong), to: peer)
        case .response, .streamItem, .streamEnd, .pong, .goodbye: badFrames.increment()
        }
    }

    private func start(_ frame: Frame, from peer: ServerPeer) {
        guard peer.calls[frame.callID] == nil, let who = peer.caller(frame.caller) else {
            return badFrames.increment()
        }
        let caller: String
        switch who {
        case .known(let name): caller = name
        case .refused(let error):
            methods[frame.method]?.count(error.code)
            return refuse(frame, peer, error)
        }
        guard let method = methods[frame.method] else {
            return refuse(frame, peer, RPCError(.unimplemented, "no such method"))
        }
        if let refusal = refusal(method, caller) {
            method.count(refusal.code)
            return refuse(frame, peer, refusal)
        }
        let arrival = arrival ?? (MonotonicTime.now(), .now)
        self.arrival = arrival
        var deadline = UInt64.max
        var context = CallContext(traceID: frame.traceID, caller: caller)
        if frame.deadlineMilliseconds != Frame.noDeadline {
            deadline = arrival.monotonic &+ UInt64(frame.deadlineMilliseconds) &* 1_000_000
            context.deadline = arrival.instant + .milliseconds(Int64(frame.deadlineMilliseconds))
        }
        let call = IncomingCall(
            id: frame.callID, method: method, context: context, deadline: deadline, credit: frame.argument,
            peer: peer, core: self, now: arrival.monotonic)
        peer.calls[call.id] = call
        method.running += 1
        running += 1
        inFlight.add(1)
        if deadline < earliestDeadline {
            earliestDeadline = deadline
            loop.hastenTimer(deadline)
        }
        let request = RPCPayload([UInt8](frame.payload))
        call.task = Task(executorPreference: options.handlersOnSocketThread ? loop : nil) { await call.run(request) }
    }

    private func refusal(_ method: ServerMethod, _ caller: String) -> RPCError? {
        if isDraining { return RPCError(.unavailable, "the instance is going away", hint: .draining) }
        if !method.admits(caller) { return RPCError(.permissionDenied, "the caller's role may not call this method") }
        if method.running >= method.limit {
            return RPCError(.resourceExhausted, "too many calls of this method at once")
        }
        return nil
    }

    private func refuse(_ request: Frame, _ peer: ServerPeer, _ error: RPCError) {
        var frame = Frame(.response, callID: request.callID)
        frame.status = error.code
        frame.hint = error.hint
        send(frame, text: error.message, to: peer)
    }

    // MARK: Calls

    /// The handler has returned.
    func finish(_ call: IncomingCall, _ failure: RPCError?) {
        call.method.running -= 1
        running -= 1
        inFlight.add(-1)
        if !call.hasEnded { end(call, failure ?? RPCError(.ok, ""), answer: true) }
        guard running == 0 else { return }
        let waiters = whenIdle
        whenIdle = []
        for waiter in waiters { waiter.resume() }
    }

    /// The call has its outcome, whether or not its handler has returned.
    func end(_ call: IncomingCall, _ outcome: RPCError, answer: Bool) {
        guard !call.hasEnded else { return }
        let peer = call.peer
        call.markOver()
        peer.calls[call.id] = nil
        call.method.count(outcome.code)
        if outcome.code != .ok || !answer { call.task?.cancel() }
        guard answer else { return }
        var frame = Frame(call.method.descriptor.kind == .unary ? .response : .streamEnd, callID: call.id)
        if outcome.code == .ok, let response = call.response {
            guard response.count <= Frame.maximumBytes - Frame.requestHeaderBytes else {
                frame.status = .resourceExhausted
                return send(frame, text: "the response is too large", to: peer)
            }
            response.withUnsafeBytes { send(frame, payload: $0, to: peer) }
        } else {
            frame.status = outcome.code
            frame.hint = outcome.hint == .notSent ? .none : outcome.hint
            send(frame, text: outcome.message, to: peer)
        }
    }

    func sendItem(_ bytes: [UInt8], of call: IncomingCall) {
        guard !call.hasEnded else { return }
        guard bytes.count <= Frame.maximumBytes - Frame.requestHeaderBytes else {
            return end(call, RPCError(.resourceExhausted, "a message of the stream is too large"), answer: true)
        }
        call.lastWrite = MonotonicTime.now()
        bytes.withUnsafeBytes { send(Frame(.streamItem, callID: call.id), payload: $0, to: call.peer) }
    }

    /// The full story of a failure whose text does not cross the wire. Any thread.
    func report(_ error: any Error, of call: IncomingCall) {
        logger.error(
            "a handler failed",
            [
                .method: .trusted(call.method.descriptor.fullName), .error: .error(error),
                .trace: .id(call.context.traceID.description),
            ])
    }

    func forget(_ peer: ServerPeer) {
        guard !peer.isGone else { return }
        peer.isGone = true
        peer.waiting = []
        peer.waitingBytes = 0
        for call in Array(peer.calls.values) { end(call, .cancelled, answer: false) }
        peers[peer.key] = nil
        connections.set(peers.count)
    }
}
