import Host
import NotificationsCore

await ServiceMain.run("notifications") { host in
    let handler = NotificationsHandler(
        database: host.database, events: host.events, logger: host.logger, counters: host.counters)
    return ServiceParts(handlers: [handler])
}
