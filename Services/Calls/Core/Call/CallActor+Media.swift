import Domain
import Observability

// The relay.
extension CallActor {
    func offerToRelay() {
        guard let sdp = session.callerDescription else { return send(.relayFailed) }
        if !session.hasRelaySession { services.meters.relaySessions.add(1) }
        session.hasRelaySession = true
        relay { [session] relay throws(RelayError) in
            try await relay.offer(sdp, for: session.relay)
        } then: {
            $0.session.offerToCallee = SessionVersion.follow($0.session.offerToCallee, with: $1)
            $0.send(.relayOffered)
        }
    }

    func answerToRelay() {
        guard let sdp = session.calleeDescription else { return send(.relayFailed) }
        relay { [session] relay throws(RelayError) in
            try await relay.answer(sdp, for: session.relay)
        } then: {
            $0.session.answerToCaller = SessionVersion.follow($0.session.answerToCaller, with: $1)
            $0.send(.relayAnswered)
        }
    }

    /// Joins the caller and the leg that answered.
    func join(_ index: Int) {
        guard let sdp = session.legs[index].description else { return send(.relayFailed) }
        session.calleeDescription = sdp
        answerToRelay()
    }

    /// Lets the caller hear what a leg says before it answers. The answering side keeps one name, so that what answers later,
    /// or records a message, keeps the relay's ports.
    func joinEarly(_ index: Int) {
        guard let sdp = session.legs[index].description else { return }
        let before = session.relaying
        let relaySession = session.relay
        session.relaying = Task {
            await before?.value
            guard let answer = try? await services.relay.answer(sdp, for: relaySession) else { return }
            session.answerToCaller = SessionVersion.follow(session.answerToCaller, with: answer)
            send(.earlyMediaReady)
        }
    }

    /// After what was asked before, so that nothing is made anew behind the deletion. A relay that cannot be reached forgets
    /// by itself, when no packet comes.
    func deleteRelaySession() {
        guard session.hasRelaySession else { return }
        session.hasRelaySession = false
        let before = session.relaying
        session.relaying = Task {
            await before?.value
            do throws(RelayError) {
                try await services.relay.delete(id)
            } catch {
                services.logger.warning("relay session cannot be deleted", [.call: .id(id.description)])
            }
            services.meters.relaySessions.add(-1)
        }
    }

    /// Both sides silent for too long, and neither holds the other: nobody is there any more. Voicemail looks after its own
    /// silence.
    package func relayCounted(_ packets: UInt64) {
        let now = services.now()
        guard case .talking = machine.phase, packets == session.packets, !session.isHeld else {
            session.packets = packets
            session.silentSince = nil
            return
        }
        let since = session.silentSince ?? now
        session.silentSince = since
        if now >= since + services.mediaTimeout { send(.mediaStopped) }
    }

    private func relay(
        _ request: @escaping @Sendable (any MediaRelay) async throws(RelayError) -> String,
        then: @escaping @Sendable (isolated CallActor, String) -> Void
    ) {
        let before = session.relaying
        session.relaying = Task {
            await before?.value
            do throws(RelayError) {
                let sdp = try await request(services.relay)
                then(self, sdp)
            } catch {
                services.logger.warning(
                    "relay refused a call", [.call: .id(id.description), .reason: .slug("\(error)")])
                send(.relayFailed)
            }
        }
    }
}
