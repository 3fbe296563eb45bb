import Observability
public import Runtime
import Store
import Synchronization

/// This instance's part of a consumer group; see `EventBus.consume`.
public final class ConsumerGroup: Component, SlotHandler {
    typealias Handler = @Sendable (LoggedEvent, Transaction) async throws -> Void

    public let name: String
    let group: String
    let partitions: Int
    let handler: Handler
    let subscription: EventSubscription
    let database: Database
    let membership: Membership
    let cursorPeriod: Duration
    let logger: Logger
    let handledCount: Counter
    let failedCount: Counter
    private let workers = Mutex<[Int: Task<Void, Never>]>([:])

    init(
        group: String, partitions: Int, subscription: EventSubscription, membership: Membership,
        cursorPeriod: Duration, logger: Logger, counters: Counters, handler: @escaping Handler
    ) {
        name = "consumer:\(group)"
        self.group = group
        self.partitions = partitions
        self.subscription = subscription
        self.database = subscription.database
        self.membership = membership
        self.cursorPeriod = cursorPeriod
        self.logger = logger
        self.handler = handler
        handledCount = counters.counter("events_consumed_total", ["group": group])
        failedCount = counters.counter("events_consumer_failures_total", ["group": group])
    }

    public func start() async throws {
        try await membership.join(group: name, slots: partitions, handler: self)
    }

    /// Finishes the events in hand and gives the partitions to others.
    public func stop() async {
        await membership.leave(group: name)
        let left = workers.withLock { workers in
            defer { workers = [:] }
            return workers.values
        }
        for worker in left {
            worker.cancel()
            await worker.value
        }
    }

    public func acquired(_ lease: SlotLease) async {
        let worker = Task { [self] in await ConsumerPartition(self, lease).run() }
        let before = workers.withLock { workers in
            defer { workers[lease.slot] = worker }
            return workers[lease.slot]
        }
        before?.cancel()
    }

    public func lost(_ lease: SlotLease) async {
        let worker = workers.withLock { $0.removeValue(forKey: lease.slot) }
        worker?.cancel()
        await worker?.value
    }

    /// Which partition a key belongs to: FNV-1a of its UTF-8 bytes. Never to be changed, cursors depend on it.
    package static func partition(of key: String, count: Int) -> Int {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return Int(hash % UInt64(count))
    }
}
