import Domain
package import Numbering
package import Observability
package import RPC
package import Runtime
package import SIP
package import Store
import Wire

/// The service's parts, built bottom up.
package struct CallsParts: Sendable {
    package let handler: CallsHandler
    package let slots: CallSlots
    /// In starting order.
    package let components: [any Component]
    package let relay: RelayPool
    package let sip: SIPEndpoint
    package let registry: CallRegistry

    /// How long calls may go on once the process is to stop: the drain time but for what their farewell takes.
    package static func patience(drain: Duration) -> Duration { max(drain / 2, drain - .seconds(2)) }

    /// - Parameters:
    ///   - sip: where SIP is served.
    ///   - limits: how long calls and their sessions may last.
    ///   - relays: the control addresses of the rtpengines; at least one.
    ///   - patience: how long live calls may go on once the process is to stop.
    package init(
        sip: (host: String, port: UInt16), limits: CallLimits, relays addresses: [(host: String, port: UInt16)],
        region: Region?,
        patience: Duration, instance: String, database: Database, ownership: any SlotOwnership,
        channel: any RPCChannel, logger: Logger, counters: Counters
    ) throws {
        let storage = PostgresCallStorage(database)
        relay = try RelayPool(addresses, logger: logger, counters: counters)
        let journal = CallJournal(storage: storage, logger: logger, counters: counters)
        registry = CallRegistry()
        var services = CallServices(
            directory: DirectoryV1.DirectoryClient(channel),
            notifications: NotificationsV1.NotificationsClient(channel),
            voicemails: VoicemailV1.VoicemailsClient(channel), relay: relay, journal: journal, ownership: ownership,
            meters: CallMeters(counters), logger: logger, instance: instance,
            relayName: addresses.map { "\($0.host):\($0.port)" }.joined(separator: ","), region: region)
        services.mediaTimeout = limits.mediaTimeout
        let gateway = CallGateway(registry: registry, services: services)
        self.sip = SIPEndpoint(
            host: sip.host, port: sip.port, userAgent: "Bellwire", sessionTimers: limits.sessionTimers,
            handler: gateway, logger: logger, counters: counters)
        let recovery = CallRecovery(storage: storage, registry: registry, services: services)
        handler = CallsHandler(storage: storage, registry: registry, ownership: ownership)
        slots = CallSlots(registry: registry, recovery: recovery)
        components = [
            relay,
            CallsComponent(
                endpoint: self.sip, gateway: gateway, registry: registry, recovery: recovery,
                revival: SIPRevival(
                    endpoint: self.sip, gateway: gateway, registry: registry, services: services),
                watch: RelayWatch(relay: relay, registry: registry, logger: logger), journal: journal,
                patience: patience, logger: logger),
        ]
    }
}
