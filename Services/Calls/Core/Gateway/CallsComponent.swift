import Domain
package import Observability
import Runtime

/// The SIP side of the service: answers while it runs, and ends its calls before it stops.
package final class CallsComponent: Component {
    package let name = "calls"

    private let stations: CallStations
    private let registry: CallRegistry
    private let watch: RelayWatch
    private let journal: CallJournal
    private let patience: Duration
    private let isForGood: @Sendable () -> Bool
    private let logger: Logger

    /// How long the last steps of calls that are handed over may take.
    private static let handoverLimit: Duration = .milliseconds(1500)
    private static let pause: Duration = .milliseconds(20)

    /// - Parameters:
    ///   - patience: how long calls may go on after the request to stop.
    ///   - isForGood: nobody goes on with the calls, so they are ended.
    package init(
        stations: CallStations, registry: CallRegistry, watch: RelayWatch, journal: CallJournal, patience: Duration,
        isForGood: @escaping @Sendable () -> Bool, logger: Logger
    ) {
        self.stations = stations
        self.registry = registry
        self.watch = watch
        self.journal = journal
        self.patience = patience
        self.isForGood = isForGood
        self.logger = logger
    }

    package func start() async throws {
        await stations.start()
        await watch.start()
    }

    /// For good, calls have until the end of the patience, and are ended then. Else they live on in the process that gets the
    /// slots next, which may be another instance at once or this one's successor; only what is bound to this process, as a
    /// message that is recorded, has that time here.
    package func stop() async {
        await stations.drain()
        let isForGood = isForGood()
        let limit = ContinuousClock.now + patience
        if registry.count > 0 {
            logger.info("waiting for calls", [.count: .int(registry.count)])
            await wait(until: limit) { isForGood ? registry.count == 0 : await bound.isEmpty }
            for call in isForGood ? registry.calls : await bound { await call.shutDown() }
            // A BYE may wait for the ACK to our answer.
            if isForGood { await registry.drained() }
        }
        if !isForGood {
            await wait(until: .now + CallsComponent.handoverLimit) { await bound.isEmpty }
            logger.info("calls are left to the next owner of their slots", [.count: .int(registry.count)])
            await stations.handOver(journal, within: CallsComponent.handoverLimit)
        }
        await watch.stop()
        await journal.flush()
        await stations.stop()
    }

    /// The calls that cannot go on elsewhere.
    private var bound: [CallActor] {
        get async {
            var bound: [CallActor] = []
            for call in registry.calls where await call.needsThisProcess { bound.append(call) }
            return bound
        }
    }

    private func wait(until limit: ContinuousClock.Instant, _ isOver: () async -> Bool) async {
        while ContinuousClock.now < limit {
            if await isOver() { return }
            try? await Task.sleep(for: CallsComponent.pause)
        }
    }
}
