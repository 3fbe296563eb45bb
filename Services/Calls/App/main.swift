import Bus
import CallsCore
import Domain
import Host
import Numbering
import Runtime

await ServiceMain.run("calls", slots: true) { host in
    let configuration = host.configuration
    let addresses = try configuration.sipAddresses(maximum: Slot.count)
    let parts = try CallsParts(
        sip: addresses, limits: try CallLimits(configuration),
        relays: try RelayAddress.read(configuration, defaultHost: host.address),
        region: Region(configuration.string(.region, default: "US")), patience: CallsParts.patience(drain: host.drain),
        isForGood: { host.stopRequest.isForGood },
        instance: host.instance, database: host.database, ownership: host.membership, channel: host.client,
        logger: host.logger, counters: host.counters)
    return ServiceParts(
        handlers: [parts.handler], components: parts.components, slotHandler: parts.stations,
        slots: addresses.count,
        checks: [
            ReadinessCheck("relay") { parts.relay.wasReady },
            ReadinessCheck("sip") { parts.stations.serve(host.membership.slots) },
        ])
}
