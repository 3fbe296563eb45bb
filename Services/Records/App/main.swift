import Bus
import Host
import RecordsCore

await ServiceMain.run("records") { host in
    let consumer = RecordConsumer(logger: host.logger, counters: host.counters)
    let group = host.events.consume(
        group: RecordConsumer.group, topics: RecordConsumer.topics, handler: consumer.handle)
    return ServiceParts(handlers: [RecordsHandler(database: host.database)], components: [group])
}
