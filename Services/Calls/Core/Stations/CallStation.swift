package import Bus
import Observability
import Runtime
package import SIP

/// Where the calls of one slot are served, as long as the slot is ours: the slot owns a SIP address, which stands in all of
/// their dialogs, so whoever gets the slot hears their sides.
package actor CallStation {
    private static let pause: Duration = .milliseconds(100)

    package nonisolated let lease: SlotLease
    package nonisolated let endpoint: SIPEndpoint
    private let gateway: CallGateway
    private let recovery: CallRecovery
    private let revival: any CallRevival
    private let registry: CallRegistry
    private let farewells: Farewells
    private let logger: Logger
    private var opening: Task<Void, Never>?
    private var isClosed = false

    init(
        lease: SlotLease, endpoint: SIPEndpoint, gateway: CallGateway, recovery: CallRecovery,
        revival: any CallRevival, registry: CallRegistry, farewells: Farewells, logger: Logger
    ) {
        self.lease = lease
        self.endpoint = endpoint
        self.gateway = gateway
        self.recovery = recovery
        self.revival = revival
        self.registry = registry
        self.farewells = farewells
        self.logger = logger
    }

    package nonisolated var isServed: Bool { endpoint.port != 0 }

    /// Goes on with the slot's calls. Returns once its address is served, or the station is closed.
    package func open() async {
        if opening == nil { opening = Task { await serve() } }
        await opening?.value
    }

    private func serve() async {
        guard !isClosed else { return }
        // What another process left is here before the first message is read.
        await recovery.begin(with: revival)
        await recovery.add(lease)
        await recovery.finished()
        var isReported = false
        while !isClosed {
            do {
                try await endpoint.start()
                break
            } catch {
                if !isReported {
                    logger.error("SIP cannot be served", [.slot: .int(lease.slot), .error: .error(error)])
                }
                isReported = true
                try? await Task.sleep(for: CallStation.pause)
            }
        }
        guard !isClosed else { return }
        logger.info("SIP is served", [.slot: .int(lease.slot), .port: .int(Int(endpoint.port))])
        await recovery.speak()
        await farewells.repeatKept(under: lease, on: endpoint)
    }

    /// Refuses new calls from now on.
    package nonisolated func drain() { gateway.drain() }

    /// In peace, after the last call.
    package func close() async {
        isClosed = true
        await recovery.end()
        await opening?.value
        await endpoint.stop()
    }

    /// The slot is about to go to a process that finds its calls as they are: what their sides have said is taken and stored,
    /// what they say from now on is left to that process.
    /// - Parameter limit: what is not stored by then is given up, as in a crash.
    package func handOver(_ journal: CallJournal, within limit: Duration) async {
        await endpoint.fallDeaf()
        let work = Task {
            let calls = registry.calls(under: lease)
            await registry.settle(calls)
            for call in calls { await call.settle() }
            await journal.flush()
            await farewells.handOver(lease)
            await endpoint.flush()
        }
        if await !OneShot.race(work, limit: limit) {
            logger.warning("calls are handed over without their last steps", [.slot: .int(lease.slot)])
        }
        await giveUp()
    }

    /// The slot is another's: nothing is said to anybody, and its calls are forgotten here.
    package func giveUp() async {
        endpoint.fallSilent()
        farewells.forget(lease)
        await close()
        for call in registry.calls(under: lease) { await call.leaseLost() }
    }
}
