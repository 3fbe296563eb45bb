import Observability
import Runtime
import Synchronization

/// Asks rtpengine over UDP and waits for the answers, on a thread of its own. A request is repeated under the same cookie, so
/// that rtpengine answers a repetition from memory instead of carrying it out twice.
final class NGTransport: Sendable {
    private struct Waiting {
        let datagram: [UInt8]
        let deadline: ContinuousClock.Instant
        var next: ContinuousClock.Instant
        var interval: Duration
        let answer: CheckedContinuation<Result<NGResponse, RelayError>, Never>
    }

    private struct State {
        var waiting: [String: Waiting] = [:]
        var unsent: [String] = []
        var isStopped = false
    }

    private static let firstInterval: Duration = .milliseconds(100)
    private static let longestInterval: Duration = .seconds(1)

    private let state = Mutex(State())
    private let socket: DatagramSocket
    private let wake: EventDescriptor
    private let poller: Poller
    private let counter = Atomic<UInt64>(0)
    private let prefix: String
    private let repetitions: Counter

    init(host: String, port: UInt16, counters: Counters) throws(SystemError) {
        socket = try DatagramSocket(connectedTo: host, port: port)
        wake = try EventDescriptor()
        poller = try Poller()
        try poller.add(socket.number, .readable, token: 1)
        try poller.add(wake.number, .readable, token: 0)
        prefix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        repetitions = counters.counter("relay_request_repetitions_total")
    }

    func start() throws(SystemError) {
        _ = try LoopThread(name: "relay") { [self] in loop() }
    }

    /// Ends the thread; what still waits fails with `stopped`.
    func stop() {
        state.withLock { $0.isStopped = true }
        wake.signal()
    }

    func ask(_ request: NGRequest, deadline: Duration) async throws(RelayError) -> NGResponse {
        let number = counter.wrappingAdd(1, ordering: .relaxed).newValue
        let cookie = "\(prefix)_\(number)"
        guard let datagram = try? request.datagram(cookie: cookie),
            datagram.count <= DatagramSocket.maximumBytes
        else { throw .refused }
        let result = await withCheckedContinuation { continuation in
            let now = ContinuousClock.now
            let waiting = Waiting(
                datagram: datagram, deadline: now + deadline, next: now, interval: NGTransport.firstInterval,
                answer: continuation)
            let isStopped = state.withLock { state in
                if !state.isStopped {
                    state.waiting[cookie] = waiting
                    state.unsent.append(cookie)
                }
                return state.isStopped
            }
            if isStopped { continuation.resume(returning: .failure(.stopped)) } else { wake.signal() }
        }
        return try result.get()
    }

    private func loop() {
        while true {
            wake.drain()
            receive()
            sendNew()
            let (isStopped, next) = sendAgain()
            if isStopped { return }
            _ = try? poller.wait(timeout: next.map { max(.zero, $0 - .now) })
        }
    }

    private func receive() {
        while true {
            // A refused port shows here once for each datagram that met nobody; the deadline decides.
            guard let datagram = try? socket.receive() else { return }
            guard let (cookie, body) = NGResponse.split(datagram), let response = NGResponse(body: body) else {
                continue
            }
            let waiting = state.withLock { $0.waiting.removeValue(forKey: cookie) }
            waiting?.answer.resume(returning: .success(response))
        }
    }

    private func sendNew() {
        let datagrams = state.withLock { state in
            let now = ContinuousClock.now
            var datagrams: [[UInt8]] = []
            for cookie in state.unsent {
                guard var waiting = state.waiting[cookie] else { continue }
                waiting.next = now + waiting.interval
                state.waiting[cookie] = waiting
                datagrams.append(waiting.datagram)
            }
            state.unsent = []
            return datagrams
        }
        for datagram in datagrams { try? socket.send(datagram) }
    }

    /// Repeats what is due and ends what is over; says when to look again.
    private func sendAgain() -> (isStopped: Bool, next: ContinuousClock.Instant?) {
        let now = ContinuousClock.now
        var over: [Waiting] = []
        var due: [[UInt8]] = []
        let (isStopped, next) = state.withLock { state in
            for (cookie, var waiting) in state.waiting {
                if state.isStopped || waiting.deadline <= now {
                    over.append(waiting)
                    state.waiting[cookie] = nil
                } else if waiting.next <= now {
                    waiting.interval = min(waiting.interval * 2, NGTransport.longestInterval)
                    waiting.next = now + waiting.interval
                    due.append(waiting.datagram)
                    state.waiting[cookie] = waiting
                }
            }
            return (state.isStopped, state.waiting.values.map { min($0.next, $0.deadline) }.min())
        }
        for waiting in over { waiting.answer.resume(returning: .failure(isStopped ? .stopped : .unreachable)) }
        for datagram in due { try? socket.send(datagram) }
        repetitions.increment(by: due.count)
        return (isStopped, next)
    }
}
