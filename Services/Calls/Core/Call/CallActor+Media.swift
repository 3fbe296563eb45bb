import Domain
import Observability
import RPC
import Wire

// The relay and voicemail.
extension CallActor {
    /// How long voicemail may take to answer.
    private static let answerDeadline: Duration = .seconds(5)

    func offerToRelay() {
        guard let sdp = invite.audio.sdp else { return send(.relayFailed) }
        session.hasRelaySession = true
        services.meters.relaySessions.add(1)
        relay { [session] relay throws(RelayError) in
            try await relay.offer(sdp, for: session.relay)
        } then: {
            $0.session.offerToVoicemail = $1
            $0.send(.relayOffered)
        }
    }

    func answerToRelay() {
        guard let sdp = session.voicemailAnswer else { return send(.relayFailed) }
        relay { [session] relay throws(RelayError) in
            try await relay.answer(sdp, for: session.relay)
        } then: {
            $0.session.answerToCaller = $1
            $0.send(.relayAnswered)
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

    func takeCall() {
        guard let facts, let offer = session.offerToVoicemail else { return send(.voicemailLost) }
        var request = VoicemailV1.TakeCallRequest()
        request.callID = id.description
        request.accountID = facts.callee.accountID
        request.owner = facts.callee.userID
        request.sudoOwner = facts.callee.personaID
        request.phoneNumberID = facts.callee.phoneNumberID
        request.callRecordID = id.callRecordID(of: .callee).description
        request.localPhoneNumber = facts.callee.number
        request.remotePhoneNumber = facts.caller.number ?? ""
        request.displayName = facts.caller.displayName ?? ""
        request.minimumMessageSeconds = facts.callee.minimumMessageSeconds
        request.sdpOffer = offer
        let events = services.voicemails.takeCall(request)
        session.voicemail = Task {
            do {
                for try await event in events {
                    if took(event) { return }
                }
                send(.voicemailLost)
            } catch {
                // Cancelled: we left.
                guard !Task.isCancelled, (error as? RPCError)?.code != .cancelled else { return }
                services.logger.warning(
                    "voicemail lost a call",
                    [.call: .id(id.description), .status: .slug((error as? RPCError)?.code.slug ?? "internal")])
                send(.voicemailLost)
            }
        }
        Task {
            try? await Task.sleep(for: CallActor.answerDeadline)
            if session.voicemailAnswer == nil, !machine.isEnded {
                send(.voicemailLost)
            }
        }
    }

    /// True when nothing more comes.
    private func took(_ event: VoicemailV1.TakeCallEvent) -> Bool {
        switch event.event {
        case .answer(let answer):
            guard session.voicemailAnswer == nil else { return false }
            session.voicemailAnswer = answer.sdpAnswer
            session.voicemailID = BellwireID(answer.voicemailID)
            send(.voicemailAnswered)
        case .recording:
            session.isRecording = true
        case .ended:
            send(.voicemailEnded)
            return true
        case nil: break
        }
        return false
    }
}
