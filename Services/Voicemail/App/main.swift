import Bus
import Host
import Runtime
import VoicemailCore

await ServiceMain.run("voicemail", slots: true) { host in
    let configuration = host.configuration
    let drain = try configuration.seconds(.drainSeconds, default: .seconds(10), in: 0...600)
    let limits = RecordingLimits(
        maximum: try configuration.seconds(.voicemailMaximumSeconds, default: .seconds(180), in: 1...3_600),
        silence: try configuration.seconds(.voicemailSilenceSeconds, default: .seconds(10), in: 1...3_600))
    let parts = try VoicemailParts(
        instance: host.instance, address: host.address,
        ports: try configuration.ports(.rtpPorts, default: 26_384...30_383),
        mediaDirectory: configuration.string(.mediaDirectory, default: host.runDirectory.path + "/media"),
        limits: limits, drain: max(.zero, drain - .seconds(3)), database: host.database, ownership: host.membership,
        logger: host.logger, counters: host.counters)
    let records = host.events.consume(
        group: RecordConsumer.group, topics: RecordConsumer.topics, handler: parts.consumer.handle)
    return ServiceParts(
        handlers: [parts.handler], components: parts.components + [records], slotHandler: parts.slots)
}
