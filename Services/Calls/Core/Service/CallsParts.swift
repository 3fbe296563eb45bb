import Bus
import Domain
package import Numbering
package import Observability
package import RPC
package import Runtime
import SIP
package import Store
import Wire

/// The service's parts, built bottom up.
package struct CallsParts: Sendable {
    package let handler: CallsHandler
    package let stations: CallStations
    /// In starting order.
    package let components: [any Component]
    package let relay: RelayPool
    package let registry: CallRegistry

    /// How long calls may go on once the process is to stop: the drain time but for what their farewell takes.
    package static func patience(drain: Duration) -> Duration { max(drain / 2, drain - .seconds(2)) }

    /// - Parameters:
    ///   - sip: where SIP is served, by the slots' numbers.
    ///   - limits: how long calls and their sessions may last.
    ///   - relays: the control addresses of the rtpengines; at least one.
    ///   - patience: how long live calls may go on once the process is to stop.
    ///   - isForGood: asked then: nobody goes on with the calls.
    package init(
        sip: [SocketPlace], limits: CallLimits, relays addresses: [(host: String, port: UInt16)], region: Region?,
        patience: Duration, isForGood: @escaping @Sendable () -> Bool = { true }, instance: String, database: Database,
        ownership: any SlotOwnership, channel: any RPCChannel, logger: Logger, counters: Counters
    ) throws {
        let storage = PostgresCallStorage(database)
        relay = try RelayPool(addresses, logger: logger, counters: counters)
        let journal = CallJournal(storage: BatchedCallStorage(storage), logger: logger, counters: counters)
        let registry = CallRegistry()
        self.registry = registry
        var wanted = CallServices(
            directory: DirectoryV1.DirectoryClient(channel),
            notifications: NotificationsV1.NotificationsClient(channel),
            voicemails: VoicemailV1.VoicemailsClient(channel), relay: FencedRelay(relay, ownership: ownership),
            journal: journal, farewells: Farewells(storage: storage, logger: logger), ownership: ownership,
            meters: CallMeters(counters), logger: logger, instance: instance,
            relayName: addresses.map { "\($0.host):\($0.port)" }.joined(separator: ","), region: region)
        wanted.mediaTimeout = limits.mediaTimeout
        let services = wanted
        let stations = CallStations(registry: registry) { lease in
            let place = sip[lease.slot % sip.count]
            let gateway = CallGateway(lease: lease, registry: registry, services: services)
            let endpoint = SIPEndpoint(
                host: place.host, port: place.port, userAgent: "Bellwire", sessionTimers: limits.sessionTimers,
                fence: SIPFence { ownership.lease(slot: lease.slot) == lease }, handler: gateway, logger: logger,
                counters: counters)
            return CallStation(
                lease: lease, endpoint: endpoint, gateway: gateway,
                recovery: CallRecovery(storage: storage, registry: registry, services: services),
                revival: SIPRevival(endpoint: endpoint, gateway: gateway, registry: registry, services: services),
                registry: registry, farewells: services.farewells, logger: logger)
        }
        self.stations = stations
        handler = CallsHandler(storage: storage, registry: registry, ownership: ownership)
        components = [
            relay,
            CallsComponent(
                stations: stations, registry: registry,
                watch: RelayWatch(relay: relay, registry: registry, logger: logger), journal: journal,
                patience: patience, isForGood: isForGood, logger: logger),
        ]
    }
}
