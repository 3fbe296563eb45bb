import Domain
package import Observability
import Runtime
package import SIP

/// The SIP side of the service: answers while it runs, and ends its calls before it stops.
package final class CallsComponent: Component {
    package let name = "calls"

    private let endpoint: SIPEndpoint
    private let gateway: CallGateway
    private let registry: CallRegistry
    private let recovery: CallRecovery
    private let revival: any CallRevival
    private let watch: RelayWatch
    private let journal: CallJournal
    private let patience: Duration
    private let logger: Logger

    /// - Parameter patience: how long calls may go on after the request to stop; then they are ended.
    package init(
        endpoint: SIPEndpoint, gateway: CallGateway, registry: CallRegistry, recovery: CallRecovery,
        revival: any CallRevival, watch: RelayWatch, journal: CallJournal, patience: Duration, logger: Logger
    ) {
        self.endpoint = endpoint
        self.gateway = gateway
        self.registry = registry
        self.recovery = recovery
        self.revival = revival
        self.watch = watch
        self.journal = journal
        self.patience = patience
        self.logger = logger
    }

    package func start() async throws {
        // What another process left is here before the first message is read.
        await recovery.begin(with: revival)
        await recovery.finished()
        try await endpoint.start()
        await recovery.speak()
        await watch.start()
        logger.info("SIP is served", [.port: .int(Int(endpoint.port))])
    }

    package func stop() async {
        gateway.drain()
        await recovery.end()
        if registry.count > 0 {
            logger.info("waiting for calls to end", [.count: .int(registry.count)])
            let patience = patience
            let impatience = Task { [registry] in
                try await Task.sleep(for: patience)
                for call in registry.calls { await call.shutDown() }
            }
            await registry.drained()
            impatience.cancel()
        }
        await watch.stop()
        await journal.flush()
        await endpoint.stop()
    }
}
