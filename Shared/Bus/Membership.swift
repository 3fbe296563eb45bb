public import Observability
public import RPC
public import Runtime
public import Store
import Synchronization

/// Which instances live, and which slots are ours. Time is PostgreSQL's; PostgreSQL being away freezes all of it.
public final class Membership: Component, EndpointResolver {
    public let name = "membership"
    public let endpoint: Endpoint?

    /// A member.
    /// - Parameters:
    ///   - slots: whether this instance takes its share of its service's 64 slots.
    ///   - runDirectory: where the lock lies that proves that no other process runs under this name on this machine;
    ///     with it, a restarted instance takes its predecessor's slots at once. Nil waits for the lease instead.
    public init(
        database: Database, endpoint: Endpoint, slots: Bool, runDirectory: String?,
        leaseDuration: Duration = .seconds(6), logger: Logger, counters: Counters = Counters()
    ) {
        self.endpoint = endpoint
    }

    /// Only looks on, like the CLI: registers nothing, owns nothing.
    public init(observing database: Database, logger: Logger, counters: Counters = Counters()) {
        endpoint = nil
    }

    /// To be set before `start()`.
    public func setSlotHandler(_ handler: any SlotHandler) {}

    /// Registers and takes free slots. Throws `MembershipError.nameTaken`, `StoreError`.
    public func start() async throws { fatalError("to come") }

    /// Gives all slots back and leaves.
    public func stop() async {}

    /// The lease of a slot of our service, to be asked before each outward act. Nil: not ours, being handed over, or
    /// this process was paused for half a lease and has not been confirmed by PostgreSQL since.
    public func lease(slot: Int) -> SlotLease? { fatalError("to come") }

    /// Any slot of ours, for a new id; nil when we have none.
    public func anyLease() -> SlotLease? { fatalError("to come") }

    /// All of our service's slots that are ours, sorted.
    public var slots: [Int] { fatalError("to come") }

    public func instances(of service: String) -> [Endpoint] { fatalError("to come") }

    public func owner(of service: String, slot: Int) -> Endpoint? { fatalError("to come") }

    public func refresh() async {}
}
