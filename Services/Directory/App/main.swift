import DirectoryCore
import Host

await ServiceMain.run("directory") { host in
    let handler = DirectoryHandler(
        database: host.database, defaultRegion: try DirectoryHandler.defaultRegion(in: host.configuration),
        logger: host.logger)
    return ServiceParts(handlers: [handler])
}
