import Observability
import Runtime
import Synchronization

/// The pool as tasks see it: commands go to the loop's thread, results come back through promises.
final class Pool: Sendable {
    enum Command: Sendable {
        case run(Job)
        case lend(Promise<PoolLease>)
        case runLent(Job, connection: UInt64)
        /// At last COMMIT or ROLLBACK, with which the connection comes back.
        case finish([Job], connection: UInt64)
        case notifyReady(Promise<Void>)
        case stop
    }

    private struct State {
        var inbox: [Command] = []
        var thread: LoopThread?
        var stopped = false
    }

    private let configuration: DatabaseConfiguration
    private let logger: Logger
    private let counters: Counters
    private let wake: EventDescriptor?
    private let state = Mutex(State())
    private let reachable = Atomic<Bool>(true)

    init(_ configuration: DatabaseConfiguration, logger: Logger, counters: Counters) {
        self.configuration = configuration
        self.logger = logger
        self.counters = counters
        wake = try? EventDescriptor()
    }

    var isReachable: Bool { reachable.load(ordering: .relaxed) }

    func setReachable(_ value: Bool) { reachable.store(value, ordering: .relaxed) }

    func start() async throws {
        guard let wake else { throw StoreError.unreachable }
        let ready = Promise<Void>()
        try state.withLock { state in
            guard !state.stopped else { throw StoreError.stopped }
            state.inbox.append(.notifyReady(ready))
            guard state.thread == nil else { return }
            let poller = try Poller()
            try poller.add(wake.number, .readable, token: 0)
            let (configuration, logger, counters) = (configuration, logger, counters)
            state.thread = try LoopThread(name: "store") { [self] in
                PoolLoop(self, configuration, poller: poller, logger: logger, counters: counters).run()
            }
        }
        wake.signal()
        try await ready.value()
    }

    func stop() async {
        let thread = state.withLock { state in
            state.stopped = true
            state.inbox.append(.stop)
            defer { state.thread = nil }
            return state.thread
        }
        guard let thread else { return refuseInbox() }
        wake?.signal()
        let ended = Promise<Void>()
        // Joining blocks, so it gets a thread too; that one ends by itself.
        let joiner = try? LoopThread(name: "store-join") {
            thread.join()
            ended.complete(.success(()))
        }
        if joiner == nil { thread.join() } else { try? await ended.valueDespiteCancellation() }
        joiner?.join()
    }

    func run(_ sql: SQL) async throws -> QueryResult {
        let job = Job(sql)
        submit(.run(job))
        return try await job.promise.value()
    }

    func lend() async throws -> PoolLease {
        let promise = Promise<PoolLease>()
        submit(.lend(promise))
        return try await promise.value()
    }

    func submit(_ command: Command) {
        let accepted = state.withLock { state in
            guard !state.stopped else { return false }
            state.inbox.append(command)
            return state.inbox.count == 1
        }
        // The first of a batch wakes the loop; it takes them all.
        if accepted { wake?.signal() }
        if state.withLock({ $0.stopped }) { Pool.refuse(command) }
    }

    /// By the loop: everything that came since it last asked.
    func takeInbox() -> [Command] {
        wake?.drain()
        return state.withLock { state in
            defer { state.inbox = [] }
            return state.inbox
        }
    }

    private func refuseInbox() {
        for command in takeInbox() { Pool.refuse(command) }
    }

    static func refuse(_ command: Command, _ error: StoreError = .stopped) {
        switch command {
        case .run(let job), .runLent(let job, _): job.promise.complete(.failure(error))
        case .finish(let jobs, _): for job in jobs { job.promise.complete(.failure(error)) }
        case .lend(let promise): promise.complete(.failure(error))
        case .notifyReady(let promise): promise.complete(.failure(error))
        case .stop: break
        }
    }
}
