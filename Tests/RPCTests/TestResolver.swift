import RPC
import Synchronization

/// Knows what a test tells it.
final class TestResolver: EndpointResolver {
    private struct State {
        var endpoints: [Endpoint] = []
        var owners: [Int: Endpoint] = [:]
        var refreshes = 0
    }

    private let state = Mutex(State())
    private let onRefresh: @Sendable (TestResolver) async -> Void

    init(onRefresh: @escaping @Sendable (TestResolver) async -> Void = { _ in }) { self.onRefresh = onRefresh }

    var refreshes: Int { state.withLock { $0.refreshes } }

    func set(_ endpoints: [Endpoint]) { state.withLock { $0.endpoints = endpoints } }

    func set(owner: Endpoint?, of slot: Int) { state.withLock { $0.owners[slot] = owner } }

    func instances(of service: String) -> [Endpoint] {
        state.withLock { $0.endpoints.filter { $0.service == service } }
    }

    func owner(of service: String, slot: Int) -> Endpoint? { state.withLock { $0.owners[slot] } }

    func refresh() async {
        state.withLock { $0.refreshes += 1 }
        await onRefresh(self)
    }
}
