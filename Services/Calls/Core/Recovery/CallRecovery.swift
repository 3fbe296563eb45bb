package import Bus
import Domain
import Observability
import SIP

/// Closes the calls that a process left behind in slots that are now ours, with an honest reason.
package actor CallRecovery {
    private static let pageSize = 200
    private static let pause: Duration = .milliseconds(500)

    private let storage: PostgresCallStorage
    private let registry: CallRegistry
    private let services: CallServices
    private var farewell: (any CallFarewell)?
    private var queue: [SlotLease] = []
    private var work: Task<Void, Never>?

    package init(storage: PostgresCallStorage, registry: CallRegistry, services: CallServices) {
        self.storage = storage
        self.registry = registry
        self.services = services
    }

    /// Slots that came before are gone through now.
    package func begin(on farewell: any CallFarewell) {
        self.farewell = farewell
        goOn()
    }

    package func end() async {
        farewell = nil
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
        guard farewell != nil, work == nil, !queue.isEmpty else { return }
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
                    guard await close(call, under: lease) else { return }
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
    private func close(_ call: StoredCall, under lease: SlotLease) async -> Bool {
        let progress = call.progress.closedAfterRestart(now: services.now())
        let write = CallWrite.advance(call.facts, progress, instance: services.instance)
        let outcome = await services.journal.append(write, under: lease)
        guard outcome != .stale, isOurs(lease) else { return false }
        services.meters.recovered.increment()
        services.meters.ended(.serverRestarted)
        services.logger.notice(
            "closed a call that a process left behind",
            [.call: .id(call.facts.id.description), .state: .slug(progress.state)])
        if let dialog = call.dialog { tell(call, in: dialog) }
        try? await services.relay.delete(call.facts.id)
        return true
    }

    /// Whoever was or may have been answered gets a BYE; who still rings is sent away, to try again.
    private func tell(_ call: StoredCall, in dialog: DialogState) {
        if call.isDialogConfirmed {
            farewell?.end(dialog, reason: .farewell(.serverRestarted))
        } else if let invite = call.invite {
            let refusal = SIPRefusal(status: 503, audio: .absent, agent: dialog.localTarget.host)
            farewell?.refuse(invite, of: dialog, refusal)
        }
    }
}

extension CallProgress {
    /// As domain.md has it: an answered call is completed, any other unanswered; a diverted one keeps its reason.
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
