import Domain
package import Observability

/// Asks the relay for the sessions of live calls: a relay that has died, or was started anew, has lost their audio; a session
/// without packets has lost its sides.
package actor RelayWatch {
    private let relay: any MediaRelay
    private let registry: CallRegistry
    private let interval: Duration
    private let logger: Logger
    private var task: Task<Void, Never>?
    /// In a row, by relay.
    private var failures: [String: Int] = [:]

    /// A relay that does not answer twice in a row is gone.
    private static let toleratedFailures = 1

    package init(
        relay: any MediaRelay, registry: CallRegistry, interval: Duration = .seconds(1), logger: Logger
    ) {
        self.relay = relay
        self.registry = registry
        self.interval = interval
        self.logger = logger
    }

    package func start() {
        task = Task { [weak self, interval] in
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                await self?.look()
            }
        }
    }

    package func stop() { task?.cancel() }

    package func look() async {
        var silent: Set<String> = []
        for call in registry.calls where await call.usesRelay {
            let home = relay.home(of: call.id) ?? ""
            guard !silent.contains(home) else { continue }
            do throws(RelayError) {
                let packets = try await relay.packets(of: call.id)
                failures[home] = 0
                if let packets {
                    await call.relayCounted(packets)
                } else if await call.hasAnswered {
                    // Else the offer may be on its way still; it is then made behind this question.
                    await lost(call)
                }
            } catch {
                guard error == .unreachable else { continue }
                silent.insert(home)
                failures[home, default: 0] += 1
                guard failures[home, default: 0] > RelayWatch.toleratedFailures else { continue }
                for call in registry.calls where relay.home(of: call.id) ?? "" == home { await call.relayLost() }
            }
        }
    }

    private func lost(_ call: CallActor) async {
        logger.warning("relay has lost a call", [.call: .id(call.id.description)])
        await call.relayLost()
    }
}
