import Observability
import RPC
import Runtime
import Synchronization
import ZeroMQ

/// Wakes the sequencer and the readers of other processes over ZeroMQ. Only hints: whatever is lost here, the polls find.
///
/// Each process publishes at one address, advertised in the instance table: `h` when it has committed an event, and `b`,
/// first and last position (8 bytes each, big-endian), when it has moved a batch to the log.
final class LivePath: Sendable {
    private struct State {
        var publisher: Publisher?
        var batches: Subscriber?
        var hints: Subscriber?
        var batchPeers: Set<String> = []
        var hintPeers: Set<String> = []
        var isSequencer: @Sendable () -> Bool = { false }
    }

    private static let hintMark = UInt8(ascii: "h")
    private static let batchMark = UInt8(ascii: "b")

    private let membership: Membership
    private let runDirectory: String?
    private let logger: Logger
    private let state = Mutex(State())

    init(membership: Membership, runDirectory: String?, logger: Logger) {
        self.membership = membership
        self.runDirectory = runDirectory
        self.logger = logger
    }

    /// A live path that cannot be had is no failure: it goes on by polling.
    func start(
        announced: @escaping @Sendable (_ last: UInt64) -> Void, hinted: @escaping @Sendable () -> Void,
        isSequencer: @escaping @Sendable () -> Bool
    ) async {
        guard let runDirectory else { return }
        do {
            let batches = try await Subscriber(prefix: [LivePath.batchMark]) { message in
                guard message.count == 17 else { return }
                announced(message[9...].reduce(0) { $0 << 8 | UInt64($1) })
            }
            state.withLock { state in
                state.batches = batches
                state.isSequencer = isSequencer
            }
            guard let endpoint = membership.endpoint else { return }
            let hints = try await Subscriber(prefix: [LivePath.hintMark]) { _ in hinted() }
            state.withLock { $0.hints = hints }
            let path = try RunDirectory(runDirectory).socket("\(endpoint.instance).events")
            let publisher = try await Publisher(address: "ipc://\(path)")
            state.withLock { $0.publisher = publisher }
            try await membership.advertise(eventsAddress: publisher.address)
        } catch {
            logger.warning("no live path for events; they are polled for", [.error: .error(error)])
        }
    }

    /// Keeps connected to every live instance; to their hints only while sequencing.
    func run() async {
        guard runDirectory != nil else { return }
        while !Task.isCancelled {
            connect()
            try? await Task.sleep(for: .milliseconds(250))
        }
    }

    private func connect() {
        let addresses = membership.eventAddresses()
        state.withLock { state in
            let own = state.publisher.map { Set([$0.address]) } ?? []
            let others = addresses.subtracting(own)
            LivePath.follow(others, state.batches, &state.batchPeers)
            LivePath.follow(state.isSequencer() ? others : [], state.hints, &state.hintPeers)
        }
    }

    private static func follow(_ wanted: Set<String>, _ subscriber: Subscriber?, _ connected: inout Set<String>) {
        guard let subscriber else { return }
        for address in connected.subtracting(wanted) { subscriber.disconnect(address) }
        for address in wanted.subtracting(connected) { subscriber.connect(address) }
        connected = wanted
    }

    func announce(first: UInt64, last: UInt64) {
        var message = [LivePath.batchMark]
        for value in [first, last] {
            for shift in stride(from: 56, through: 0, by: -8) {
                message.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        state.withLock { $0.publisher }?.publish(message)
    }

    func hint() { state.withLock { $0.publisher }?.publish([LivePath.hintMark]) }

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
