package import Bus
import Synchronization

/// The stations of our slots: each opens when its slot comes and closes when it goes.
package actor CallStations: SlotHandler {
    private let make: @Sendable (SlotLease) -> CallStation
    private let registry: CallRegistry
    private var stations: [Int: CallStation] = [:] {
        didSet { known.withLock { $0 = stations } }
    }
    private let known = Mutex<[Int: CallStation]>([:])
    private var isStarted = false
    private var isDraining = false

    /// - Parameter make: the station of a slot.
    init(registry: CallRegistry, make: @escaping @Sendable (SlotLease) -> CallStation) {
        self.registry = registry
        self.make = make
    }

    private var all: [CallStation] { stations.sorted { $0.key < $1.key }.map(\.value) }

    /// Of a slot of ours.
    package nonisolated func station(slot: Int) -> CallStation? { known.withLock { $0[slot] } }

    /// Whether these slots' addresses are listened to.
    package nonisolated func serve(_ slots: [Int]) -> Bool {
        slots.allSatisfy { station(slot: $0)?.isServed ?? false }
    }

    /// Returns once the slots that came before are served.
    package func start() async {
        isStarted = true
        for station in all { await station.open() }
    }

    package func drain() {
        isDraining = true
        for station in all { station.drain() }
    }

    package func stop() async {
        isStarted = false
        for station in all { await station.close() }
        stations = [:]
    }

    /// Closes all, with their calls left to whoever gets the slots next.
    package func handOver(_ journal: CallJournal, within limit: Duration) async {
        isStarted = false
        await withTaskGroup { group in
            for station in all { group.addTask { await station.handOver(journal, within: limit) } }
        }
        stations = [:]
    }

    /// Others' calls are gone on with, and their address is served, while further slots come and go.
    package func acquired(_ lease: SlotLease) async {
        await stations.removeValue(forKey: lease.slot)?.giveUp()
        let station = make(lease)
        if isDraining { station.drain() }
        stations[lease.slot] = station
        if isStarted { Task { await station.open() } }
    }

    /// Our calls of that slot are the next owner's to go on with.
    package func lost(_ lease: SlotLease) async {
        guard let station = stations[lease.slot], station.lease == lease else { return }
        stations[lease.slot] = nil
        await station.giveUp()
    }

    package func isBusy(slot: Int) async -> Bool { registry.hasCalls(slot: slot) }
}
