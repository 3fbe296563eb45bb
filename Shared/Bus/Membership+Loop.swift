import Observability
import RPC
import Store
import Synchronization

/// The loop that renews, looks, and shares out.
extension Membership {
    private var period: Duration { min(leaseDuration / 4, .seconds(1)) }

    func beat() {
        let paused = state.withLock { $0.pause.beat(.now) }
        if paused {
            logger.warning("this process was paused; its slots are in doubt until PostgreSQL confirms them")
            wake.signal()
        }
    }

    func loop() async {
        while !Task.isCancelled {
            await wake.wait(upTo: period)
            if Task.isCancelled { break }
            // Those who asked before this look began.
            let asked = state.withLock { Array($0.waiters.keys) }
            do { try await look() } catch { noteFailure(error) }
            for number in asked { state.withLock { $0.waiters.removeValue(forKey: number) }?.resume() }
        }
    }

    private func noteFailure(_ error: any Error) {
        if error is CancellationError { return }
        let isFirst = state.withLock { state in
            defer { state.reachableSince = nil }
            guard state.reachableSince != nil else { return false }
            state.frozen = Set(state.view.instances.values.filter { state.lives($0) }.map(\.key))
            return true
        }
        if isFirst { logger.warning("membership is frozen: PostgreSQL does not answer", [.error: .error(error)]) }
    }

    /// One turn: renew our lease, read who is who, let go of what was taken from us, take what is our share.
    func look() async throws {
        let asked = ContinuousClock.now
        let tables = state.withLock { $0.isSuperseded ? nil : $0.tables }
        if let tables { try await renew(tables) }
        let view = try await ClusterView.read(database)
        // Others that were cut off like us get a lease's time to come back, before anybody takes what was theirs.
        let isSettled = state.withLock { state in
            state.view = view
            state.pause.confirm(asked: asked)
            // From the answer on: when it was asked PostgreSQL may have been away still, for us and for them.
            let since = state.reachableSince ?? .now
            state.reachableSince = since
            let isSettled = ContinuousClock.now - since >= leaseDuration
            if isSettled { state.frozen = [] }
            return isSettled
        }
        dropLost(view, tables)
        guard let tables else { return }
        var hasClaimed = false
        for group in state.withLock({ $0.isStopping ? [] : Array($0.groups.values) }) {
            if try await share(group, tables, isSettled) { hasClaimed = true }
        }
        if isSettled { try await tables.clearAway() }
        if hasClaimed {
            let view = try await ClusterView.read(database)
            state.withLock { $0.view = view }
        }
        slotsGauge.set(slots.count)
    }

    private func renew(_ tables: ClusterTables) async throws {
        switch try await tables.renew() {
        case .done: break
        case .forgotten:
            guard try await tables.register() == .done else { return }
            for group in state.withLock({ Array($0.groups.values) }) {
                try await tables.join(group: group.name, slots: group.slots)
            }
        case .superseded:
            logger.error("another process has taken this instance's name; it owns nothing any more")
            state.withLock { $0.isSuperseded = true }
        }
    }

    /// Lets go of slots that others have taken.
    private func dropLost(_ view: ClusterView, _ tables: ClusterTables?) {
        let (lost, groups) = state.withLock { state in
            let lost = state.held.filter { key, lease in
                guard let tables, let slot = view.slots[key] else { return true }
                // A slot that was claimed after the view had been read has a higher epoch than the view knows.
                return slot.epoch > lease.epoch || slot.epoch == lease.epoch && slot.incarnation != tables.incarnation
            }
            // What is being handed over goes its own way.
            for key in lost.keys where !state.suspended.contains(key) { state.held[key] = nil }
            return (lost.filter { !state.suspended.contains($0.key) }, state.groups)
        }
        for (name, leases) in Dictionary(grouping: lost.values, by: \.group) {
            movedCount.increment(by: leases.count)
            logger.notice("slots lost to another instance", [.group: .trusted(name), .count: .int(leases.count)])
            for lease in leases.sorted(by: { $0.slot < $1.slot }) { groups[name]?.notify(.lost(lease)) }
        }
    }

    /// Claims up to our share, or offers what is above it. True when something was claimed.
    private func share(_ group: SlotGroup, _ tables: ClusterTables, _ isSettled: Bool) async throws -> Bool {
        let (mine, quota) = state.withLock { state in
            let members = (state.view.members[group.name] ?? []).filter { key in
                state.view.instances[key].map { state.lives($0) } ?? false
            }
            let me = "\(tables.endpoint.service)/\(tables.endpoint.instance)"
            return (
                state.held.keys.filter { $0.group == group.name }.map(\.slot),
                SlotShare.quota(of: me, among: members, slots: group.slots)
            )
        }
        if mine.count > quota {
            let mayOffer = state.withLock { $0.offering.insert(group.name).inserted }
            if mayOffer { group.notify(.offer(mine.count - quota)) }
            return false
        }
        guard mine.count < quota else { return false }
        let claimed = try await tables.claim(
            group: group.name, slots: group.slots, count: quota - mine.count, held: mine, expired: isSettled)
        let isCurrent = state.withLock { state in
            guard state.groups[group.name] === group else { return false }
            for lease in claimed { state.held[ClusterView.SlotKey(group: lease.group, slot: lease.slot)] = lease }
            return true
        }
        guard isCurrent else {
            // The group was left meanwhile.
            try await tables.release(claimed)
            return false
        }
        for lease in claimed.sorted(by: { $0.slot < $1.slot }) {
            movedCount.increment()
            group.notify(.acquired(lease))
        }
        if !claimed.isEmpty {
            logger.info("slots taken", [.group: .trusted(group.name), .count: .int(claimed.count)])
        }
        return !claimed.isEmpty
    }

    // MARK: Handing over

    func held(group: String, suspended: Bool = false) -> [SlotLease] {
        state.withLock { state in
            state.held.filter { $0.key.group == group && state.suspended.contains($0.key) == suspended }.map(\.value)
        }
    }

    /// From now on not ours to act for. False when it is not held any more.
    func suspend(_ lease: SlotLease) -> Bool {
        let key = ClusterView.SlotKey(group: lease.group, slot: lease.slot)
        return state.withLock { state in
            guard state.held[key] == lease else { return false }
            return state.suspended.insert(key).inserted
        }
    }

    /// Frees a suspended slot for others. While PostgreSQL is away it tries on, unless we are leaving: then our lease
    /// frees it by running out.
    func release(_ lease: SlotLease, isLeaving: Bool = false) async {
        let key = ClusterView.SlotKey(group: lease.group, slot: lease.slot)
        while true {
            let (tables, isStopping) = state.withLock { ($0.tables, $0.isStopping) }
            do {
                try await tables?.release([lease])
                break
            } catch {
                if isLeaving || isStopping || error as? StoreError == .stopped { break }
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
        movedCount.increment()
        state.withLock { state in
            state.held[key] = nil
            state.suspended.remove(key)
        }
    }

    func offerEnded(group: String) {
        state.withLock { _ = $0.offering.remove(group) }
        wake.signal()
    }

    // MARK: For the event bus

    /// Where the live paths of all live instances listen.
    func eventAddresses() -> Set<String> {
        state.withLock { state in
            Set(
                state.view.instances.values.filter { state.lives($0) && !$0.eventsAddress.isEmpty }.map(\.eventsAddress)
            )
        }
    }

    func advertise(eventsAddress: String) async throws {
        try await state.withLock { $0.tables }?.advertise(eventsAddress: eventsAddress)
        wake.signal()
    }
}
