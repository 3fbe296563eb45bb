import Observability
import ZeroMQ

/// The client's state: owned by the socket thread, and so needs no lock.
final class ClientCore: @unchecked Sendable {
    // `@unchecked`: everything mutable is touched on `loop`'s thread only.

    /// Pings, and so seconds, without any answer after which an instance is taken for dead. Pings are counted instead
    /// of time, so that a client that was frozen itself does not blame the others.
    static let silentPings = 5
    let beatInterval: UInt64

    let loop: SocketLoop
    let resolver: any EndpointResolver
    private let curve: CurveCredentials?
    let caller: [UInt8]
    let badFrames: Counter
    let connectionGauge: Gauge
    private let inFlight: Gauge
    private let retries: Counter

    struct Route {
        let instances: [Endpoint]
        let connections: [ClientConnection]
    }

    private var calls: [UInt64: OutgoingCall] = [:]
    var connections: [Endpoint: ClientConnection] = [:]
    /// The connections to all instances of a service, as the resolver named them last.
    var routes: [String: Route] = [:]
    /// Services asked so far: their instances are connected to before they are needed.
    var services: Set<String> = []
    var rotation = 0
    private var waitForRefresh: [UInt64] = []
    private var earliestDeadline = UInt64.max
    var nextBeat: UInt64 = 0
    private var mustRetrySending = false
    private(set) var isClosed = false

    init(
        loop: SocketLoop, caller: String, resolver: any EndpointResolver, counters: Counters, beat: Duration,
        curve: CurveCredentials?
    ) {
        self.loop = loop
        self.curve = curve
        beatInterval = MonotonicTime.after(beat, from: 0)
        self.resolver = resolver
        self.caller = Array(caller.utf8.prefix(255))
        badFrames = counters.counter("rpc_bad_frames_total")
        connectionGauge = counters.gauge("rpc_connections", ["side": "client"])
        inFlight = counters.gauge("rpc_client_in_flight")
        retries = counters.counter("rpc_client_retries_total")
    }

    func open() {
        loop.setTimer(due: 0) { [unowned self] now in tick(now) }
    }

    // MARK: Calls

    func start(_ call: OutgoingCall) {
        if isClosed { return call.complete(.failure(RPCError(.unavailable, "the client is stopped"))) }
        calls[call.id] = call
        inFlight.set(calls.count)
        if call.deadline < earliestDeadline {
            earliestDeadline = call.deadline
            loop.hastenTimer(call.deadline)
        }
        attempt(call)
    }

    private func attempt(_ call: OutgoingCall) {
        if call.deadline <= MonotonicTime.now() { return complete(call, .failure(.deadlineExceeded)) }
        let connection: ClientConnection
        do throws(RPCError) {
            connection = try choose(for: call)
        } catch {
            return fail(call, error)
        }
        call.connection = connection
        call.isSent = false
        connection.calls[call.id] = call
        // Sent at the end of the loop's turn, or when the connection is up.
        connection.waiting.append(call)
    }

    /// One attempt has failed: another one where that is allowed, else the caller hears of it.
    func fail(_ call: OutgoingCall, _ error: RPCError, answered: Bool = false) {
        guard calls[call.id] != nil else { return }
        let failed = call.connection?.endpoint
        detach(call)
        let mayRetry =
            !call.hasRetried && !call.hasReceived
            && (error.neverRan || (error.code == .unavailable && call.method.idempotent))
        guard mayRetry else { return complete(call, .failure(error)) }
        call.avoided = failed
        let another = call.slot == nil && call.instance == nil && hasAnother(for: call)
        // One instance only, and it lives and has said no: asking it again would not help.
        if answered && !another && !error.neverRan { return complete(call, .failure(error)) }
        call.hasRetried = true
        retries.increment()
        if another { return attempt(call) }
        waitForRefresh.append(call.id)
        guard waitForRefresh.count == 1 else { return }
        Task { [self] in
            await resolver.refresh()
            loop.post { [self] in
                let refreshed = waitForRefresh
                waitForRefresh = []
                for id in refreshed {
                    if let call = calls[id] { attempt(call) }
                }
            }
        }
    }

    func complete(_ call: OutgoingCall, _ result: Result<RPCPayload, RPCError>) {
        guard calls.removeValue(forKey: call.id) != nil else { return }
        inFlight.set(calls.count)
        detach(call)
        call.complete(result)
    }

    /// Nobody waits for the call any more.
    func abandon(_ call: OutgoingCall, _ error: RPCError) {
        if call.isSent { call.connection?.send(Frame(.cancel, callID: call.id)) }
        complete(call, .failure(error))
    }

    func cancel(_ id: UInt64) {
        if let call = calls[id] { abandon(call, .cancelled) }
    }

    func grant(_ bytes: Int, to id: UInt64) {
        calls[id]?.connection?.send(Frame(.credit, callID: id, argument: UInt32(clamping: bytes)))
    }

    private func detach(_ call: OutgoingCall) {
        guard let connection = call.connection else { return }
        connection.calls[call.id] = nil
        if !call.isSent { connection.waiting.removeAll { $0 === call } }
        call.connection = nil
    }

    // MARK: Connections

    func connection(to endpoint: Endpoint) throws(RPCError) -> ClientConnection {
        if let connection = connections[endpoint] { return connection }
        do throws(ZeroMQError) {
            let connection = try ClientConnection(endpoint, curve)
            connections[endpoint] = connection
            loop.add(
                connection.socket, flush: { [unowned self] in sendWaiting(connection) },
                drain: { [unowned self] in receive(from: connection) })
            loop.add(connection.monitor.socket, whenReadable: true) { [unowned self] in
                receiveEvents(of: connection)
            }
            return connection
        } catch {
            throw RPCError(.unavailable, "cannot connect to \(endpoint.service)/\(endpoint.instance)", hint: .notSent)
        }
    }

    private func sendWaiting(_ connection: ClientConnection) {
        guard connection.isUp, !connection.waiting.isEmpty else { return }
        let now = MonotonicTime.now()
        guard !connection.sendWaiting(caller: caller, now: now), !mustRetrySending else { return }
        // The turn after the timer's tries again.
        mustRetrySending = true
        loop.hastenTimer(now + 1_000_000)
    }

    /// The instance is gone or silent: what it has not answered fails now. What never reached it may go elsewhere.
    func failAll(of connection: ClientConnection, unsentOnly: Bool = false) {
        for call in Array(connection.calls.values) where !unsentOnly || !call.isSent {
            let name = "\(connection.endpoint.service)/\(connection.endpoint.instance)"
            fail(call, RPCError(.unavailable, "\(name) is not reachable", hint: call.isSent ? .none : .notSent))
        }
    }

    func drop(_ connection: ClientConnection) {
        routes = [:]
        connections[connection.endpoint] = nil
        loop.remove(connection.socket)
        loop.remove(connection.monitor.socket)
        failAll(of: connection)
        connection.close()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        for call in Array(calls.values) { abandon(call, RPCError(.unavailable, "the client is stopped")) }
        for connection in Array(connections.values) { drop(connection) }
        connectionGauge.set(0)
        loop.setTimer(due: .max) { _ in .max }
    }

    // MARK: The timer

    private func tick(_ now: UInt64) -> UInt64 {
        if now >= earliestDeadline { expire(now) }
        mustRetrySending = false
        if now >= nextBeat { beat(now) }
        return min(earliestDeadline, nextBeat)
    }

    private func expire(_ now: UInt64) {
        earliestDeadline = .max
        for call in Array(calls.values) {
            if call.deadline <= now {
                abandon(call, .deadlineExceeded)
            } else {
                earliestDeadline = min(earliestDeadline, call.deadline)
            }
        }
    }
}
