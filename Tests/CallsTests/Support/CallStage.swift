import Bus
import CallsCore
import Domain
import Observability
import SIP
import Store
import Synchronization
import Wire

/// One call with everything it needs, in memory.
struct CallStage {
    let neighbours: Neighbours
    let leg = FakeLeg()
    let calls: FakeCalls
    let relay = FakeRelay()
    let storage = MemoryStorage()
    let ownership = TestOwnership()
    let counters = Counters()
    let over = Gate()
    let log = MemorySink()
    let clock = StageClock()
    let services: CallServices
    let journal: CallJournal
    let farewells: Farewells

    init(_ script: Neighbours.Script = Neighbours.Script()) {
        neighbours = Neighbours(script)
        let logger = Logger(service: "calls", instance: "calls-test", level: .debug, sink: log)
        journal = CallJournal(storage: storage, backoff: .milliseconds(5), logger: logger, counters: counters)
        farewells = Farewells(
            storage: storage, patience: .milliseconds(20), pause: .milliseconds(5), logger: logger)
        calls = FakeCalls(
            SIPEndpoint(
                host: "127.0.0.1", port: 5060, userAgent: "test", handler: NoHandler(), logger: logger,
                counters: counters))
        let channel = neighbours.channel
        var services = CallServices(
            directory: DirectoryV1.DirectoryClient(channel),
            notifications: NotificationsV1.NotificationsClient(channel),
            voicemails: VoicemailV1.VoicemailsClient(channel), relay: relay, journal: journal,
            farewells: farewells, ownership: ownership,
            meters: CallMeters(counters), logger: logger, instance: "calls-test", relayName: "test", region: nil)
        services.now = { [clock] in clock.now }
        self.services = services
    }

    /// The real time, plus what a test lets pass.
    final class StageClock: Sendable {
        private let passed = Mutex<Duration>(.zero)

        var now: Moment { Moment(microseconds: StoreTime.now.microseconds) + passed.withLock { $0 } }
        func advance(by duration: Duration) { passed.withLock { $0 += duration } }
    }

    static let number = "+12025550123"

    func call(
        dialled: String = "+12025550100", audio: OfferedAudio = .usable(SampleSDP.offer()), isDraining: Bool = false
    ) -> CallActor {
        let caller = SIPAddress(displayName: "Bob", uri: SIPURI(user: CallStage.number, host: "127.0.0.1"))
        return CallActor(
            id: .make(slot: 7), lease: SlotLease(group: "calls", slot: 7, epoch: 1), leg: leg, calls: calls,
            invite: CallInvite(
                dialled: dialled, caller: CallerIdentity(presented: caller, asserted: [], isWithheld: false),
                audio: audio, rawMessage: Array("INVITE".utf8)),
            services: services, isDraining: { isDraining }, whenOver: { [over] in over.open() })
    }

    private struct NoHandler: SIPHandler {
        func handle(_ event: SIPEvent, on endpoint: SIPEndpoint) {}
    }

    /// Nothing is left: no call, no relay session.
    var isClean: Bool {
        services.meters.active.value == 0 && services.meters.relaySessions.value == 0 && relay.held.isEmpty
    }
}
