import CallsCore
import Host
import Numbering
import Runtime

await ServiceMain.run("calls", slots: true) { host in
    let configuration = host.configuration
    let parts = try CallsParts(
        sip: (host.address, UInt16(try configuration.int(.sipPort, default: 5060, in: 1...65_535))),
        limits: try CallLimits(configuration), relays: try RelayAddress.read(configuration, defaultHost: host.address),
        region: Region(configuration.string(.region, default: "US")), patience: CallsParts.patience(drain: host.drain),
        instance: host.instance,
        database: host.database, ownership: host.membership, channel: host.client, logger: host.logger,
        counters: host.counters)
    return ServiceParts(
        handlers: [parts.handler], components: parts.components, slotHandler: parts.slots,
        checks: [ReadinessCheck("relay") { parts.relay.wasReady }])
}
