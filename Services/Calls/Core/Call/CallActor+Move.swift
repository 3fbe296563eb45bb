import Domain
import Observability
import SIP

// Another relay for a call whose own is gone, or has forgotten it.
extension CallActor {
    /// How often a side that is busy with a change of its own is asked again.
    private static let attempts = 4

    package func relayLost() {
        guard session.hasRelaySession, !session.isMoving else { return }
        session.isMoving = true
        Task {
            let isElsewhere = await services.relay.move(id)
            if !isElsewhere { session.isMoving = false }
            send(isElsewhere ? .relayLost : .relayFailed)
        }
    }

    /// Both sides are told where to send, and the call goes on; or it ends.
    func move() {
        keep()
        services.logger.notice("call goes to another relay", [.call: .id(id.description)])
        Task {
            let isMoved = await reoffer()
            guard !machine.isEnded else { return }
            session.isMoving = false
            services.meters.moved(isMoved)
            if isMoved { keep() } else { send(.relayFailed) }
        }
    }

    /// Voicemail is there already.
    func moveCaller() {
        Task {
            let description = await told(.caller, session.answerToCaller)
            guard !machine.isEnded else { return }
            session.isMoving = false
            services.meters.moved(description != nil)
            guard let description else { return send(.relayFailed) }
            session.callerDescription = description
            keep()
        }
    }

    private func reoffer() async -> Bool {
        while session.isRenegotiating, !machine.isEnded { try? await Task.sleep(for: .milliseconds(50)) }
        guard !machine.isEnded, let callers = session.callerDescription else { return false }
        session.isRenegotiating = true
        defer { session.isRenegotiating = false }
        // Known there: another process had begun, or the call comes back to where it was.
        let known = (try? await services.relay.packets(of: id)) ?? nil
        let offered = await relayed(
            { relay, session throws(RelayError) in try await relay.offer(callers, for: session) }, .caller,
            isEstablished: known != nil)
        guard let offered else { return false }
        session.offerToCallee = SessionVersion.follow(session.offerToCallee, with: offered)
        guard let callees = await told(.callee, session.offerToCallee) else { return false }
        session.calleeDescription = callees
        guard await answerAnew(callees) else { return false }
        keep()
        guard let callersNow = await told(.caller, session.answerToCaller) else { return false }
        guard !SessionVersion.areSame(callersNow, callers) else { return true }
        session.callerDescription = callersNow
        let again = await relayed(
            { relay, session throws(RelayError) in try await relay.offer(callersNow, for: session) }, .caller)
        guard again != nil else { return false }
        return await answerAnew(callees)
    }

    private func answerAnew(_ description: String) async -> Bool {
        let answered = await relayed(
            { relay, session throws(RelayError) in try await relay.answer(description, for: session) }, .caller)
        guard let answered else { return false }
        session.answerToCaller = SessionVersion.follow(session.answerToCaller, with: answered)
        return true
    }

    /// Offers a description to one side; returns that side's own, nil when it does not take it.
    private func told(_ side: CallSide, _ description: String?) async -> String? {
        guard let description else { return nil }
        for _ in 1...CallActor.attempts {
            guard let dialog = dialog(of: side),
                let response = await ask(OutgoingRequest(.invite, body: .sdp(description)), in: dialog.id)
            else { return nil }
            if (200...299).contains(response.status) { return OfferedAudio(response.body).text }
            guard response.status == 491 else {
                lookAfter(response, from: side)
                return nil
            }
            try? await Task.sleep(for: dialog.glareDelay())
        }
        return nil
    }
}
