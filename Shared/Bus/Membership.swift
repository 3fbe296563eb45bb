public import Domain
public import Observability
public import RPC
public import Runtime
public import Store
import Synchronization

/// Which instances live, and which slots are ours. Time is PostgreSQL's; PostgreSQL being away freezes all of it: what
/// is ours stays ours, since nobody else can take it either.
public final class Membership: Component, EndpointResolver {
    struct State {
        var view = ClusterView()
        var groups: [String: SlotGroup] = [:]
        var held: [ClusterView.SlotKey: SlotLease] = [:]
        /// Held, but being handed over: no longer ours to act for.
        var suspended: Set<ClusterView.SlotKey> = []
        var offering: Set<String> = []
        var pause: PauseDetector
        /// Since when PostgreSQL has answered without a break.
        var reachableSince: ContinuousClock.Instant?
        /// Who lived when PostgreSQL went away.
        var frozen: Set<String> = []
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
        var nextWaiter = 0
        var task: Task<Void, Never>?
        var heartbeat: Heartbeat?
        var tellers: [String: Task<Void, Never>] = [:]
        var lock: InstanceLock?
        var tables: ClusterTables?
        var isSuperseded = false
        var isStopping = false
    }

    public let name = "membership"
    /// Nil for an observer.
    public let endpoint: Endpoint?
    let database: Database
    let leaseDuration: Duration
    let logger: Logger
    let state: Mutex<State>
    let wake = WakeSignal()
    private let takesSlots: Bool
    private let runDirectory: String?
    private let handler = Mutex<(handler: any SlotHandler, slots: Int)>((NoSlotHandler(), Slot.count))
    let slotsGauge: Gauge
    let movedCount: Counter

    /// A member.
    /// - Parameters:
    ///   - slots: whether this instance takes its share of its service's slots.
    ///   - runDirectory: where the lock lies that proves that no other process runs under this name on this machine;
    ///     with it, a restarted instance takes its predecessor's slots at once. Nil waits for the lease instead.
    public convenience init(
        database: Database, endpoint: Endpoint, slots: Bool, runDirectory: String?,
        leaseDuration: Duration = .seconds(6), logger: Logger, counters: Counters = Counters()
    ) {
        self.init(database, endpoint, slots, runDirectory, leaseDuration, logger, counters)
    }

    /// Only looks on, like the CLI: registers nothing, owns nothing.
    public convenience init(observing database: Database, logger: Logger, counters: Counters = Counters()) {
        self.init(database, nil, false, nil, .seconds(6), logger, counters)
    }

    private init(
        _ database: Database, _ endpoint: Endpoint?, _ slots: Bool, _ runDirectory: String?, _ leaseDuration: Duration,
        _ logger: Logger, _ counters: Counters
    ) {
        self.database = database
        self.endpoint = endpoint
        takesSlots = slots
        self.runDirectory = runDirectory
        self.leaseDuration = leaseDuration
        self.logger = logger
        state = Mutex(State(pause: PauseDetector(leaseDuration: leaseDuration, now: .now)))
        slotsGauge = counters.gauge("cluster_slots_held")
        movedCount = counters.counter("cluster_slots_moved_total")
    }

    /// To be set before `start()`.
    /// - Parameter slots: how many slots the service has, the same for all of its instances: 1...`Slot.count`.
    public func setSlotHandler(_ handler: any SlotHandler, slots: Int = Slot.count) {
        self.handler.withLock { $0 = (handler, slots) }
    }

    /// Registers and takes free slots. Throws `MembershipError`, `StoreError`.
    public func start() async throws {
        if let endpoint {
            let lock = try runDirectory.map {
                try InstanceLock(runDirectory: $0, service: endpoint.service, instance: endpoint.instance)
            }
            let tables = ClusterTables(
                database: database, endpoint: endpoint, incarnation: .make(), lock: lock?.identity ?? "",
                leaseDuration: leaseDuration)
            try await register(tables)
            state.withLock { state in
                state.lock = lock
                state.tables = tables
            }
            if takesSlots {
                let (handler, slots) = handler.withLock { $0 }
                try await join(group: endpoint.service, slots: slots, handler: handler)
            }
        }
        try await look()
        beat()
        let heartbeat = try Heartbeat(period: leaseDuration / 16) { [weak self] in self?.beat() }
        let task = Task { [self] in await loop() }
        state.withLock { state in
            state.heartbeat = heartbeat
            state.task = task
        }
    }

    /// A live predecessor under our name is waited for; who still lives after a lease is another.
    private func register(_ tables: ClusterTables) async throws {
        let deadline = ContinuousClock.now + leaseDuration + leaseDuration / 2
        while try await tables.register() == .taken {
            guard ContinuousClock.now < deadline else {
                throw MembershipError.nameTaken(
                    service: tables.endpoint.service, instance: tables.endpoint.instance)
            }
            try await Task.sleep(for: leaseDuration / 8)
        }
    }

    /// Gives all slots back and leaves.
    public func stop() async {
        let (task, groups) = state.withLock { state in
            state.isStopping = true
            return (state.task, Array(state.groups.keys))
        }
        task?.cancel()
        await task?.value
        for group in groups { await leave(group: group) }
        let tables = state.withLock { $0.tables }
        try? await tables?.deregister()
        let (waiters, heartbeat) = state.withLock { state in
            state.lock = nil
            state.task = nil
            defer {
                state.waiters = [:]
                state.heartbeat = nil
            }
            return (state.waiters, state.heartbeat)
        }
        heartbeat?.stop()
        for waiter in waiters.values { waiter.resume() }
    }

    // MARK: Groups

    /// Takes part in sharing out `slots` slots. The handler hears of those that come to us.
    package func join(group: String, slots: Int, handler: any SlotHandler) async throws {
        guard let tables = state.withLock({ $0.tables }) else { return }
        try await tables.join(group: group, slots: slots)
        let joined = SlotGroup(name: group, slots: slots, handler: handler)
        state.withLock { state in
            state.groups[group] = joined
            state.tellers[group] = Task { [self] in await joined.tell(self) }
        }
        wake.signal()
    }

    /// Gives the group's slots back, after the handler has let go of each.
    package func leave(group name: String) async {
        let (group, teller, tables) = state.withLock { state in
            (state.groups.removeValue(forKey: name), state.tellers.removeValue(forKey: name), state.tables)
        }
        guard let group else { return }
        let leases = held(group: name).filter { suspend($0) }
        for lease in leases { group.notify(.lost(lease)) }
        group.finish()
        await teller?.value
        // A slot that was being offered has been let go of by now.
        try? await tables?.leave(group: name)
        for lease in held(group: name, suspended: true) { await release(lease, isLeaving: true) }
    }

    // MARK: Leases

    /// The lease of a slot of our service, to be asked before each outward act. Nil: not ours, being handed over, or
    /// this process was paused for a quarter of a lease and has not been confirmed by PostgreSQL since.
    public func lease(slot: Int) -> SlotLease? {
        endpoint.flatMap { lease(group: $0.service, slot: slot) }
    }

    package func lease(group: String, slot: Int) -> SlotLease? {
        let key = ClusterView.SlotKey(group: group, slot: slot)
        return state.withLock { state in
            guard state.pause.isTrusted(.now), !state.suspended.contains(key) else { return nil }
            return state.held[key]
        }
    }

    /// Any slot of ours, for a new id; nil when we have none.
    public func anyLease() -> SlotLease? {
        guard let slot = slots.randomElement() else { return nil }
        return lease(slot: slot)
    }

    /// All of our service's slots that are ours, sorted.
    public var slots: [Int] {
        guard let endpoint else { return [] }
        return held(group: endpoint.service).map(\.slot).sorted()
    }

    // MARK: Resolving

    public func instances(of service: String) -> [Endpoint] {
        state.withLock { state in
            state.view.instances.values.filter { $0.endpoint.service == service && state.lives($0) }.map(\.endpoint)
        }
    }

    /// Nil also between the end of the owner's lease and the next one's: whoever asks then is to look again, not to wait
    /// for an instance that is gone.
    public func owner(of service: String, slot: Int) -> Endpoint? {
        state.withLock { state in
            guard let owner = state.view.owner(ClusterView.SlotKey(group: service, slot: slot)), state.lives(owner)
            else { return nil }
            return owner.endpoint
        }
    }

    /// Looks again and returns with what it saw; after a second without, when PostgreSQL does not answer.
    public func refresh() async {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        let limit = Task {
            try? await Task.sleep(for: .seconds(1))
            state.withLock { $0.waiters.removeValue(forKey: number) }?.resume()
        }
        await withCheckedContinuation { continuation in
            let isRunning = state.withLock { state in
                guard state.task != nil, !state.isStopping else { return false }
                state.waiters[number] = continuation
                return true
            }
            if isRunning { wake.signal() } else { continuation.resume() }
        }
        limit.cancel()
    }
}

extension Membership.State {
    /// By its lease; while PostgreSQL was just away, also by what was known before.
    func lives(_ instance: ClusterView.Instance) -> Bool { instance.isLive || frozen.contains(instance.key) }
}

private struct NoSlotHandler: SlotHandler {}
