public import Domain
public import Observability
public import Runtime
public import Store
import Synchronization

/// The event log: runs a candidate for its sequencer, follows it for this process's subscribers and consumer groups.
public final class EventBus: Component {
    public let name = "events"
    private let database: Database
    private let membership: Membership
    private let logger: Logger
    private let counters: Counters
    private let tail: EventTail
    private let sequencer: Sequencer
    private let livePath: LivePath
    private let cursorPeriod: Duration
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// - Parameters:
    ///   - membership: a member sequences and consumes; an observer only reads.
    ///   - livePath: nil goes without it, on polling alone.
    ///   - pollPeriod: after which the log is looked at without having been told; nil: as the live path allows.
    ///   - retention: how long events are kept at least. What a consumer group has not seen is kept longer.
    ///   - trimPeriod: how often what has outlived that is taken away.
    ///   - cursorPeriod: how often a consumer group notes how far it has come, when it had nothing to do meanwhile.
    public init(
        database: Database, membership: Membership, livePath options: LivePathOptions?,
        retention: Duration = .seconds(7 * 86_400), trimPeriod: Duration = .seconds(60),
        cursorPeriod: Duration = .seconds(30), pollPeriod: Duration? = nil,
        logger: Logger, counters: Counters = Counters()
    ) {
        self.cursorPeriod = cursorPeriod
        self.database = database
        self.membership = membership
        self.logger = logger
        self.counters = counters
        // The live path brings news at once; the poll is for what it loses.
        let pollPeriod: Duration = pollPeriod ?? (options == nil ? .milliseconds(100) : .milliseconds(250))
        let tail = EventTail(database: database, logger: logger, pollPeriod: pollPeriod, counters: counters)
        let livePath = LivePath(membership: membership, options: options, logger: logger, counters: counters)
        self.tail = tail
        self.livePath = livePath
        sequencer = Sequencer(
            database: database, membership: membership, retention: retention, trimPeriod: trimPeriod,
            pollPeriod: pollPeriod, logger: logger, counters: counters
        ) { batch in
            livePath.announce(batch)
            tail.take(batch)
        }
    }

    /// Begins to follow, and to sequence when its turn comes. Start it behind its membership.
    public func start() async throws {
        let (tail, sequencer, livePath) = (tail, sequencer, livePath)
        await livePath.start(
            announced: { tail.take($0) }, hinted: { sequencer.hint() }, isSequencer: { sequencer.isHolder })
        var started = [Task { await tail.run() }, Task { await livePath.run() }]
        if membership.endpoint != nil {
            try await membership.join(group: Sequencer.group, slots: 1, handler: sequencer)
            started.append(Task { await sequencer.run() })
            database.setPublishHook(
                PublishHook(statement: Sequencer.atCommit) { rows in
                    guard sequencer.committed(rows) else { return }
                    if sequencer.isHolder { sequencer.hint() } else { livePath.hint() }
                })
        }
        tasks.withLock { $0 = started }
    }

    /// Ends every subscription; stop consumer groups before.
    public func stop() async {
        database.setPublishHook(nil)
        await membership.leave(group: Sequencer.group)
        tail.stop()
        let running = tasks.withLock { tasks in
            defer { tasks = [] }
            return tasks
        }
        for task in running { task.cancel() }
        for task in running { await task.value }
        await livePath.stop()
    }

    /// Every event of `topics` (empty: all) behind `token`; nil: from now on.
    public func subscribe(after token: ResumeToken? = nil, topics: Set<String> = []) -> EventSubscription {
        EventSubscription(database: database, tail: tail, token: token, topics: topics)
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
        ConsumerGroup(
            group: group, partitions: partitions, subscription: subscribe(topics: topics), membership: membership,
            cursorPeriod: cursorPeriod, logger: logger, counters: counters, handler: handler)
    }

    /// What is kept in memory for all subscribers together.
    package var held: (events: Int, payloadBytes: Int) { tail.held }

    /// Whether this process sequences now.
    package var isSequencer: Bool { sequencer.isHolder }
}
