import Domain
import Observability
import Store

/// Works off one partition of a consumer group, as long as its lease holds.
struct ConsumerPartition: Sendable {
    /// How far it may pass events of others without moving its cursor.
    private static let stride: UInt64 = 1000

    private let consumer: ConsumerGroup
    private let lease: SlotLease
    private let progress = PartitionProgress()

    init(_ consumer: ConsumerGroup, _ lease: SlotLease) {
        self.consumer = consumer
        self.lease = lease
    }

    /// Returns when the task is cancelled, the lease is lost, or the bus stops.
    func run() async {
        let saver = Task { await saveNowAndThen() }
        defer { saver.cancel() }
        var backoff = Backoff(first: .milliseconds(50), limit: .seconds(5))
        while !Task.isCancelled {
            do {
                let token = try await cursor()
                try await work(from: token)
                return
            } catch is CancellationError {
                return
            } catch StoreError.staleEpoch {
                return await consumer.membership.refresh()
            } catch StoreError.stopped {
                return
            } catch {
                try? await Task.sleep(for: backoff.next())
            }
        }
    }

    /// Where the partition stands; a new one at the log's beginning.
    private func cursor() async throws -> ResumeToken {
        let row = try await consumer.database.transaction { transaction in
            try await transaction.fence(lease)
            try await transaction.execute(
                """
                INSERT INTO events.cursor ("group", partition, incarnation, position)
                SELECT \(consumer.group), \(lease.slot), incarnation, trimmed FROM events.sequencer
                ON CONFLICT DO NOTHING
                """)
            return try await transaction.query(
                """
                SELECT incarnation, position FROM events.cursor
                WHERE "group" = \(consumer.group) AND partition = \(lease.slot)
                """)[0]
        }
        return ResumeToken(incarnation: try row.id("incarnation"), position: UInt64(try row.int64("position")))
    }

    private func work(from start: ResumeToken) async throws {
        let subscription = EventSubscription(
            database: consumer.database, tail: consumer.subscription.tail, token: start,
            topics: consumer.subscription.topics)
        var iterator = subscription.makeAsyncIterator()
        progress.begin(start)
        while let step = try await iterator.nextStep() {
            switch step {
            case .element(.event(let event)):
                let isOurs = ConsumerGroup.partition(of: event.key, count: consumer.partitions) == lease.slot
                if isOurs { try await handle(event) }
                progress.pass(event.token, isSaved: isOurs)
                try await save(beyond: ConsumerPartition.stride)
            case .passed(let token):
                progress.pass(token)
                try await save(beyond: ConsumerPartition.stride)
            case .element(.subscribed): break
            case .element(.reset(_, let reason)):
                consumer.logger.error(
                    "the log no longer holds what this consumer group has not seen; it begins at the oldest event",
                    [.group: .trusted(consumer.group), .partition: .int(lease.slot), .reason: .slug(reason)])
                try await rewind()
                return try await work(from: cursor())
            }
        }
    }

    /// Again and again until it is done: what follows must not overtake it.
    private func handle(_ event: LoggedEvent) async throws {
        var backoff = Backoff(first: .milliseconds(50), limit: .seconds(30))
        while true {
            try Task.checkCancellation()
            // Nil while this process is in doubt; the loss of the lease cancels the task.
            guard consumer.membership.lease(group: lease.group, slot: lease.slot) == lease else {
                await consumer.membership.refresh()
                try await Task.sleep(for: backoff.next())
                continue
            }
            do {
                return try await attempt(event)
            } catch is CancellationError {
                throw CancellationError()
            } catch let error as StoreError where error == .staleEpoch || error == .stopped {
                throw error
            } catch {
                consumer.failedCount.increment()
                consumer.logger.warning(
                    "an event could not be handled; it is tried again",
                    [
                        .group: .trusted(consumer.group), .partition: .int(lease.slot),
                        .position: .int(Int(event.position)), .type: .trusted(event.type), .error: .error(error),
                    ])
                try await Task.sleep(for: backoff.next())
            }
        }
    }

    private func attempt(_ event: LoggedEvent) async throws {
        let isNew = try await consumer.database.transaction { transaction in
            try await transaction.fence(lease)
            // A commit whose answer was lost has moved the cursor already.
            let moved = try await transaction.execute(
                """
                UPDATE events.cursor SET position = \(event.position)
                WHERE "group" = \(consumer.group) AND partition = \(lease.slot)
                    AND incarnation = \(event.incarnation)::uuid AND position < \(event.position)
                """)
            guard moved == 1 else { return false }
            try await consumer.handler(event, transaction)
            return true
        }
        if isNew { consumer.handledCount.increment() }
    }

    /// Without it the cursor of a partition that has little to do would lag, and the log be kept for it.
    private func saveNowAndThen() async {
        while (try? await Task.sleep(for: consumer.cursorPeriod)) != nil {
            // What fails now is made good by the next one; a lost lease is the worker's business.
            try? await save(beyond: 0)
        }
    }

    private func save(beyond limit: UInt64) async throws {
        guard let token = progress.unsaved(beyond: limit) else { return }
        try await consumer.database.transaction { transaction in
            try await transaction.fence(lease)
            try await transaction.execute(
                """
                UPDATE events.cursor SET position = \(token.position)
                WHERE "group" = \(consumer.group) AND partition = \(lease.slot)
                    AND incarnation = \(token.incarnation)::uuid AND position < \(token.position)
                """)
        }
        progress.saved(token)
    }

    private func rewind() async throws {
        try await consumer.database.transaction { transaction in
            try await transaction.fence(lease)
            try await transaction.execute(
                """
                UPDATE events.cursor SET (incarnation, position) = (SELECT incarnation, trimmed FROM events.sequencer)
                WHERE "group" = \(consumer.group) AND partition = \(lease.slot)
                """)
        }
    }
}
