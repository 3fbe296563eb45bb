package import Bus
import Domain
import Observability

/// Goes on with the calls that another process carried in slots that are now ours. One that too little is known of is closed,
/// with an honest reason.
package actor CallRecovery {
    private static let pageSize = 200
    private static let pause: Duration = .milliseconds(500)

    private let storage: PostgresCallStorage
    private let registry: CallRegistry
    private let services: CallServices
    private var revival: (any CallRevival)?
    private var queue: [SlotLease] = []
    private var work: Task<Void, Never>?
    private var isSpeaking = false
    /// Those that wait until something can be sent.
    private var silent: [CallActor] = []

    package init(storage: PostgresCallStorage, registry: CallRegistry, services: CallServices) {
        self.storage = storage
        self.registry = registry
        self.services = services
    }

    /// Slots that came before are gone through now. Nothing is said to anybody before `speak()`.
    package func begin(with revival: any CallRevival) {
        self.revival = revival
        goOn()
    }

    /// The endpoint has started.
    package func speak() async {
        isSpeaking = true
        let waiting = silent
        silent = []
        for call in waiting { await call.resume() }
    }

    package func end() async {
        revival = nil
        silent = []
        queue = []
        work?.cancel()
        await work?.value
    }

    package func add(_ lease: SlotLease) {
        queue.append(lease)
        goOn()
    }

    /// Returns once every slot added so far has been gone through.
    package func finished() async { await work?.value }

    private func goOn() {
        guard revival != nil, work == nil, !queue.isEmpty else { return }
        work = Task {
            while !queue.isEmpty, !Task.isCancelled { await recover(queue.removeFirst()) }
            work = nil
        }
    }

    private func isOurs(_ lease: SlotLease) -> Bool { services.ownership.lease(slot: lease.slot) == lease }

    private func recover(_ lease: SlotLease) async {
        var after: (created: Moment, id: BellwireID)?
        while !Task.isCancelled {
            do {
                let page = try await storage.liveCalls(slot: lease.slot, after: after, limit: CallRecovery.pageSize)
                for call in page where registry.call(call.facts.id) == nil {
                    guard await goOn(with: call, under: lease) else { return }
                }
                guard let last = page.last, page.count == CallRecovery.pageSize else { return }
                after = (last.progress.created, last.facts.id)
            } catch {
                services.logger.warning(
                    "calls of a slot cannot be read", [.slot: .int(lease.slot), .error: .error(error)])
                try? await Task.sleep(for: CallRecovery.pause)
                // Paused or replaced: whoever owns the slot does it.
                guard isOurs(lease) else { return }
            }
        }
    }

    /// False when the slot is not ours any more.
    private func goOn(with call: StoredCall, under lease: SlotLease) async -> Bool {
        guard isOurs(lease) else { return false }
        guard let actor = await revival?.revive(call, under: lease) else { return await close(call, under: lease) }
        services.meters.recovered.increment()
        services.logger.notice(
            "goes on with a call of another process",
            [.call: .id(call.facts.id.description), .state: .slug(call.progress.state)])
        if isSpeaking { await actor.resume() } else { silent.append(actor) }
        return true
    }

    private func close(_ call: StoredCall, under lease: SlotLease) async -> Bool {
        let progress = call.progress.closedAfterRestart(now: services.now())
        let write = CallWrite.advance(call.facts, progress, nil, instance: services.instance)
        let outcome = await services.journal.append(write, under: lease)
        guard outcome != .stale, isOurs(lease) else { return false }
        services.meters.ended(.serverRestarted)
        services.logger.notice(
            "closed a call that a process left behind",
            [.call: .id(call.facts.id.description), .state: .slug(call.progress.state)])
        try? await services.relay.delete(call.facts.id)
        return true
    }
}

extension CallProgress {
    /// An answered call is completed, any other unanswered; a diverted one keeps its reason.
    package func closedAfterRestart(now: Moment) -> CallProgress {
        var closed = self
        if !closed.state.isFinal { closed.state = closed.state == .answered ? .completed : .unanswered }
        if closed.termination == nil { closed.termination = Termination(.serverRestarted, by: .server) }
        closed.ended = max(now, updated)
        closed.updated = max(now, updated)
        closed.version += 1
        return closed
    }
}
