import SIP
import Synchronization

/// A handler that keeps every event for the test, after letting a reaction of the test run on the SIP thread. It answers BYEs
/// unless told otherwise.
final class EventLog: SIPHandler {
    private struct State {
        var events: [SIPEvent] = []
        var waiter: CheckedContinuation<SIPEvent?, Never>?
        var generation = 0
    }

    private let state = Mutex(State())
    private let reaction: @Sendable (SIPEvent, SIPEndpoint) -> Void

    private let answersBye: Bool

    init(answersBye: Bool = true, _ reaction: @escaping @Sendable (SIPEvent, SIPEndpoint) -> Void = { _, _ in }) {
        self.answersBye = answersBye
        self.reaction = reaction
    }

    func handle(_ event: SIPEvent, on endpoint: SIPEndpoint) {
        reaction(event, endpoint)
        if answersBye, case .ended(let bye) = event { endpoint.respond(to: bye.transaction, SIPResponse(200)) }
        let waiter = state.withLock { state -> CheckedContinuation<SIPEvent?, Never>? in
            guard let waiter = state.waiter else {
                state.events.append(event)
                return nil
            }
            state.waiter = nil
            return waiter
        }
        waiter?.resume(returning: event)
    }

    /// Events that nobody has asked for yet.
    var unread: Int { state.withLock { $0.events.count } }

    /// The next event in order; nil after five seconds without one.
    func next() async -> SIPEvent? {
        let generation = state.withLock { state -> Int in
            state.generation += 1
            return state.generation
        }
        let limit = Task { [self] in
            try await Task.sleep(for: .seconds(5))
            let waiter = state.withLock { state -> CheckedContinuation<SIPEvent?, Never>? in
                guard state.generation == generation else { return nil }
                defer { state.waiter = nil }
                return state.waiter
            }
            waiter?.resume(returning: nil)
        }
        defer { limit.cancel() }
        return await withCheckedContinuation { continuation in
            let event = state.withLock { state -> SIPEvent? in
                guard state.events.isEmpty else { return state.events.removeFirst() }
                state.waiter = continuation
                return nil
            }
            if let event { continuation.resume(returning: event) }
        }
    }

    func nextInvite() async -> IncomingInvite? {
        guard case .invite(let invite) = await next() else { return nil }
        return invite
    }
}
