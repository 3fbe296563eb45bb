public import Domain
public import Observability
public import Runtime
public import Store

/// The event log: runs a candidate for its sequencer, follows it for this process's subscribers and consumer groups.
public final class EventBus: Component {
    public let name = "events"

    /// - Parameters:
    ///   - membership: a member sequences and consumes; an observer only reads.
    ///   - runDirectory: where the live path's sockets lie; nil goes without it, on polling alone.
    ///   - retention: how long events are kept at least. What a consumer group has not seen is kept longer.
    public init(
        database: Database, membership: Membership, runDirectory: String?, retention: Duration = .seconds(7 * 86_400),
        logger: Logger, counters: Counters = Counters()
    ) {}

    public func start() async throws { fatalError("to come") }
    public func stop() async {}

    /// Every event of `topics` (empty: all) behind `token`; nil: from now on.
    public func subscribe(after token: ResumeToken? = nil, topics: Set<String> = []) -> EventSubscription {
        fatalError("to come")
    }

    /// Work that is done exactly once for each event, shared between all instances that name the same group.
    ///
    /// The handler's transaction commits together with the group's cursor. Events of one key come in order, one at a
    /// time. A handler that throws is called again, with backoff; later events of its partition wait. A new group
    /// begins with the oldest event that is kept. Start the result behind the bus.
    /// - Parameter partitions: fixed for the life of the group.
    public func consume(
        group: String, topics: Set<String>, partitions: Int = 8,
        handler: @escaping @Sendable (LoggedEvent, Transaction) async throws -> Void
    ) -> ConsumerGroup {
        fatalError("to come")
    }
}
