package import Bus
package import Domain
package import Numbering
package import Observability
import Store
package import Wire

/// Which slots are ours now.
package protocol SlotOwnership: Sendable {
    /// Nil when the slot is not ours, or when that is not sure.
    func lease(slot: Int) -> SlotLease?
}

extension Membership: SlotOwnership {}

/// What calls work with.
package struct CallServices: Sendable {
    package var directory: DirectoryV1.DirectoryClient
    package var notifications: NotificationsV1.NotificationsClient
    package var voicemails: VoicemailV1.VoicemailsClient
    package var relay: any MediaRelay
    package var journal: CallJournal
    package var farewells: Farewells
    package var ownership: any SlotOwnership
    package var meters: CallMeters
    package var logger: Logger
    package var instance: String
    /// The relay's address, as it is stored with calls.
    package var relayName: String
    /// Where numbers without a plus are read when the account does not say.
    package var region: Region?
    /// How long a call may go on without a packet from either side.
    package var mediaTimeout: Duration = .seconds(30)
    package var now: @Sendable () -> Moment = { Moment(StoreTime.now) }

    package init(
        directory: DirectoryV1.DirectoryClient, notifications: NotificationsV1.NotificationsClient,
        voicemails: VoicemailV1.VoicemailsClient, relay: any MediaRelay, journal: CallJournal, farewells: Farewells,
        ownership: any SlotOwnership, meters: CallMeters, logger: Logger, instance: String, relayName: String,
        region: Region?
    ) {
        self.directory = directory
        self.notifications = notifications
        self.voicemails = voicemails
        self.relay = relay
        self.journal = journal
        self.farewells = farewells
        self.ownership = ownership
        self.meters = meters
        self.logger = logger
        self.instance = instance
        self.relayName = relayName
        self.region = region
    }
}

/// What is counted about calls. Labels are reasons, never ids.
package struct CallMeters: Sendable {
    private let counters: Counters
    package let active: Gauge
    package let relaySessions: Gauge
    package let recovered: Counter
    /// INVITEs that were sent.
    package let legs: Counter

    package init(_ counters: Counters) {
        self.counters = counters
        active = counters.gauge("calls_active")
        relaySessions = counters.gauge("relay_sessions")
        recovered = counters.counter("calls_recovered_total")
        legs = counters.counter("legs_called_total")
    }

    package func moved(_ isMoved: Bool) {
        counters.counter("calls_moved_total", ["outcome": isMoved ? "moved" : "failed"]).increment()
    }

    package func ended(_ reason: TerminationReason) {
        counters.counter("calls_total", ["termination": reason.rawValue]).increment()
    }

    package func legEnded(_ reason: TerminationReason) {
        counters.counter("legs_ended_total", ["termination": reason.rawValue]).increment()
    }

    /// - Parameter reason: a `TerminationReason`, or one of the words of `CallGateway`.
    package func refused(_ reason: String) {
        counters.counter("invites_refused_total", ["reason": reason]).increment()
    }
}
