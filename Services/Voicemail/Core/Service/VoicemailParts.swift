package import Bus
import Media
package import Observability
import RPC
package import Runtime
package import Store

/// The parts of the voicemail service, built bottom up.
package struct VoicemailParts: Sendable {
    package let handler: VoicemailHandler
    /// In the order of their start.
    package let components: [any Component]
    package let slots: any SlotHandler
    package let consumer: RecordConsumer
    package let recovery: RecordingRecovery
    package let greetings: Greetings

    /// - Parameters:
    ///   - address: that RTP binds.
    ///   - mediaDirectory: where audio is kept: `live` and finished.
    ///   - drain: how long recordings may go on when the process is to stop.
    package init(
        instance: String, address: String, ports: ClosedRange<UInt16>, mediaDirectory: String, limits: RecordingLimits,
        drain: Duration, database: Database, ownership: any SlotOwnership, logger: Logger, counters: Counters
    ) throws {
        let liveRoot = mediaDirectory + "/live"
        let media = try MediaThread()
        let liveDisk = try DiskThread()
        let disk = try DiskThread()
        let store = FileMediaStore(root: mediaDirectory + "/store", disk: disk)
        greetings = try Greetings(database: database, store: store, disk: disk)
        let finisher = MessageFinisher(
            database: database, store: store, disk: disk, logger: logger, counters: counters)
        let recovery = RecordingRecovery(
            root: liveRoot, finisher: finisher, ownership: ownership,
            sweeper: VoicemailSweeper(database: database, store: store, logger: logger), disk: disk, logger: logger)
        let recordings = Recordings(drain: drain, counters: counters) { recovery.look() }
        let rtpPorts = RTPPorts(
            host: address, range: Int(ports.lowerBound)...Int(ports.upperBound),
            open: counters.gauge("rtp_sockets_open"))
        let taker = CallTaker(
            CallTaker.Ground(
                instance: instance, address: address, liveRoot: liveRoot, limits: limits, ports: rtpPorts,
                media: media, liveDisk: liveDisk, database: database, ownership: ownership, greetings: greetings,
                finisher: finisher, recordings: recordings, refused: RefusedPacketCounters(counters), logger: logger))
        handler = VoicemailHandler(
            database: database, store: store, greetings: greetings, taker: taker, logger: logger)
        components = [liveDisk, disk, media, recovery, recordings]
        slots = recordings
        consumer = RecordConsumer(logger: logger, counters: counters)
        self.recovery = recovery
    }
}
