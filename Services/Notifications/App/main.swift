import Host
import NotificationsCore
import Wire

await ServiceMain.run("notifications") { host in
    let handler = NotificationsHandler(
        database: host.database, directory: DirectoryV1.DirectoryClient(host.client), events: host.events,
        logger: host.logger, counters: host.counters)
    return ServiceParts(handlers: [handler])
}
