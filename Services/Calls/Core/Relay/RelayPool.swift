package import Domain
package import Observability
import Runtime
import Synchronization

/// The rtpengines of an installation. New calls go to them in turn; a call stays with its own until that is gone.
package final class RelayPool: MediaRelay, Component {
    package let name = "relay"

    private struct State {
        var homes: [BellwireID: Int] = [:]
        var next = 0
    }

    private let relays: [(name: String, relay: RTPEngineRelay)]
    private let state = Mutex(State())

    /// - Parameter addresses: dotted IPv4 addresses, with the ports of `--listen-ng`; at least one.
    package init(
        _ addresses: [(host: String, port: UInt16)], requestDeadline: Duration = .seconds(2), logger: Logger,
        counters: Counters
    ) throws {
        relays = try addresses.map { address in
            let name = "\(address.host):\(address.port)"
            let relay = try RTPEngineRelay(
                host: address.host, port: address.port, requestDeadline: requestDeadline,
                labels: addresses.count > 1 ? ["relay": name] : [:], logger: logger, counters: counters)
            return (name, relay)
        }
    }

    package func start() async throws {
        for (_, relay) in relays { try await relay.start() }
    }

    package func stop() async {
        for (_, relay) in relays { await relay.stop() }
    }

    /// As last seen: one of them at least.
    package var wasReady: Bool { relays.contains { $0.relay.wasReady } }

    /// Those that answered last are asked first, so that one that is gone holds nobody up.
    package func isReady() async -> Bool {
        for (_, relay) in relays.filter({ $0.relay.wasReady }) + relays.filter({ !$0.relay.wasReady })
        where await relay.isReady() {
            return true
        }
        return false
    }

    package func home(of call: BellwireID) -> String? {
        state.withLock { $0.homes[call] }.map { relays[$0].name }
    }

    /// One that is configured no more is unreachable all the same: the call is moved.
    package func adopt(_ call: BellwireID, at home: String) {
        guard let index = relays.firstIndex(where: { $0.name == home }) else { return }
        state.withLock { $0.homes[call] = index }
    }

    package func move(_ call: BellwireID) async -> Bool {
        let own = state.withLock { $0.homes[call] }
        for index in relays.indices where index != own {
            guard await relays[index].relay.isReady() else { continue }
            state.withLock { $0.homes[call] = index }
            return true
        }
        return false
    }

    package func release(_ call: BellwireID) { _ = state.withLock { $0.homes.removeValue(forKey: call) } }

    package func offer(_ sdp: String, for session: RelaySession) async throws(RelayError) -> String {
        try await assigned(session.call).offer(sdp, for: session)
    }

    package func answer(_ sdp: String, for session: RelaySession) async throws(RelayError) -> String {
        try await assigned(session.call).answer(sdp, for: session)
    }

    /// Of a call without a home, everywhere: a process before this one may have begun it.
    package func delete(_ call: BellwireID) async throws(RelayError) {
        if let index = state.withLock({ $0.homes[call] }) { return try await relays[index].relay.delete(call) }
        for (_, relay) in relays where relay.wasReady { try await relay.delete(call) }
    }

    package func packets(of call: BellwireID) async throws(RelayError) -> UInt64? {
        guard let index = state.withLock({ $0.homes[call] }) else { return nil }
        return try await relays[index].relay.packets(of: call)
    }

    package func sessions() async throws(RelayError) -> [BellwireID] {
        var all: [BellwireID] = []
        for (_, relay) in relays { all += try await relay.sessions() }
        return all
    }

    private func assigned(_ call: BellwireID) -> RTPEngineRelay {
        let ready = relays.map(\.relay.wasReady)
        let index = state.withLock { state -> Int in
            if let index = state.homes[call] { return index }
            let order = relays.indices.map { ($0 + state.next) % relays.count }
            let index = order.first { ready[$0] } ?? order[0]
            state.next = (index + 1) % relays.count
            state.homes[call] = index
            return index
        }
        return relays[index].relay
    }
}
