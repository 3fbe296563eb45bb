import Observability
import RPC
import Runtime
import Synchronization
import ZeroMQ

/// Wakes the sequencer and the readers of other processes over ZeroMQ. Only hints: whatever is lost here, the polls find.
///
/// Each process publishes at one address, advertised in the instance table: `h` when it has committed an event that is not
/// yet in the log, and `b`, a `LiveBatch`, when it has moved a batch there.
final class LivePath: Sendable {
    private struct State {
        var publisher: Publisher?
        var batches: Subscriber?
        var hints: Subscriber?
        var batchPeers: Set<String> = []
        var hintPeers: Set<String> = []
        var isSequencer: @Sendable () -> Bool = { false }
        var turns = 0
    }

    /// Batches for a subscriber that does not take them: soon more than it would not rather read from the log.
    private static let queue = 500
    private static let hintTopic = UInt8(ascii: "h")
    private static let batchTopic = UInt8(ascii: "b")

    private let membership: Membership
    private let options: LivePathOptions?
    private let logger: Logger
    private let counters: Counters
    private let state = Mutex(State())

    /// - Parameter options: nil: goes without.
    init(membership: Membership, options: LivePathOptions?, logger: Logger, counters: Counters) {
        self.membership = membership
        self.options = options
        self.logger = logger
        self.counters = counters
    }

    /// A live path that cannot be had is no failure: it goes on by polling.
    func start(
        announced: @escaping @Sendable (LiveBatch) -> Void, hinted: @escaping @Sendable () -> Void,
        isSequencer: @escaping @Sendable () -> Bool
    ) async {
        guard let options else { return }
        do {
            let batches = try await Subscriber(topic: LivePath.batchTopic, curve: options.curve) { message in
                if let batch = LiveBatch(message) { announced(batch) }
            }
            state.withLock { state in
                state.batches = batches
                state.isSequencer = isSequencer
            }
            guard let endpoint = membership.endpoint else { return }
            let hints = try await Subscriber(topic: LivePath.hintTopic, curve: options.curve) { _ in hinted() }
            state.withLock { $0.hints = hints }
            let address = try options.address(instance: endpoint.instance)
            let listener =
                try address.crossesNetwork
                ? options.curve.map { try CurveListener($0, socket: "events", logger: logger, counters: counters) }
                : nil
            let publisher = try await Publisher(address: address.location, queue: LivePath.queue, curve: listener)
            state.withLock { $0.publisher = publisher }
            try await membership.advertise(eventsAddress: publisher.address)
        } catch {
            logger.warning("no live path for events; they are polled for", [.error: .error(error)])
        }
    }

    /// Keeps connected to every live instance; to their hints only while sequencing.
    func run() async {
        guard options != nil else { return }
        while !Task.isCancelled {
            if let forgotten = connect() { try? await membership.advertise(eventsAddress: forgotten) }
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    /// Returns our own address when the instance table has lost it: our row was cleared away while we slept.
    private func connect() -> String? {
        let addresses = membership.eventAddresses()
        return state.withLock { state in
            let own = state.publisher?.address
            let others = own.map { addresses.subtracting([$0]) } ?? addresses
            state.turns += 1
            let mayRetry = state.turns.isMultiple(of: LivePath.turnsBetweenRetries)
            LivePath.follow(others, state.batches, &state.batchPeers, mayRetry)
            LivePath.follow(state.isSequencer() ? others : [], state.hints, &state.hintPeers, mayRetry)
            return mayRetry && own.map { !addresses.contains($0) } == true ? own : nil
        }
    }

    /// A refused connection is tried again each second: either side may know the other's key by now.
    private static let turnsBetweenRetries = 4

    private static func follow(
        _ wanted: Set<String>, _ subscriber: Subscriber?, _ connected: inout Set<String>, _ mayRetry: Bool
    ) {
        guard let subscriber else { return }
        for address in connected.subtracting(wanted) { subscriber.disconnect(address) }
        for address in wanted.subtracting(connected) { subscriber.connect(address) }
        connected = wanted
        if mayRetry { subscriber.retry(wanted) }
    }

    func announce(_ batch: LiveBatch) {
        state.withLock { $0.publisher }?.publish(batch.message, topic: LivePath.batchTopic)
    }

    func hint() { state.withLock { $0.publisher }?.publish([], topic: LivePath.hintTopic) }

    func stop() async {
        let (publisher, batches, hints) = state.withLock { state in
            defer { state = State() }
            return (state.publisher, state.batches, state.hints)
        }
        await publisher?.close()
        await batches?.close()
        await hints?.close()
    }
}
