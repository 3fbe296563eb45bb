package import Domain

/// A relay that only the owner of a call's slot may change. While it is not sure who that is, because this process stood
/// still, changes wait; who turns out to have lost the slot changes nothing.
package struct FencedRelay: MediaRelay {
    private static let pause: Duration = .milliseconds(50)

    private let relay: any MediaRelay
    private let ownership: any SlotOwnership
    private let patience: Duration

    /// - Parameter patience: how long a change waits for certainty; then it fails with `RelayError.stopped`.
    package init(_ relay: any MediaRelay, ownership: any SlotOwnership, patience: Duration = .seconds(10)) {
        self.relay = relay
        self.ownership = ownership
        self.patience = patience
    }

    private func own(_ call: BellwireID) async throws(RelayError) {
        let limit = ContinuousClock.now + patience
        while ownership.lease(slot: call.slot) == nil {
            guard ContinuousClock.now < limit, !Task.isCancelled else { throw .stopped }
            try? await Task.sleep(for: FencedRelay.pause)
        }
    }

    package func isReady() async -> Bool { await relay.isReady() }

    package func offer(_ sdp: String, for session: RelaySession) async throws(RelayError) -> String {
        try await own(session.call)
        return try await relay.offer(sdp, for: session)
    }

    package func answer(_ sdp: String, for session: RelaySession) async throws(RelayError) -> String {
        try await own(session.call)
        return try await relay.answer(sdp, for: session)
    }

    package func delete(_ call: BellwireID) async throws(RelayError) {
        try await own(call)
        try await relay.delete(call)
    }

    package func packets(of call: BellwireID) async throws(RelayError) -> UInt64? { try await relay.packets(of: call) }

    package func home(of call: BellwireID) -> String? { relay.home(of: call) }

    package func adopt(_ call: BellwireID, at home: String) { relay.adopt(call, at: home) }

    package func move(_ call: BellwireID) async -> Bool { await relay.move(call) }

    package func release(_ call: BellwireID) { relay.release(call) }

    package func sessions() async throws(RelayError) -> [BellwireID] { try await relay.sessions() }
}
