import Domain
import Media
package import SIP

/// What the caller does after the INVITE.
package enum CallerEvent: Sendable {
    /// The INVITE was answered 487.
    case cancelled
    case acknowledged(SIPBody?)
    /// The BYE is to be answered.
    case hungUp(SIPTransactionID)
    /// No ACK came for the 200.
    case notAcknowledged
    /// re-INVITE, UPDATE or INFO.
    case request(InDialogRequest)
}

extension CallActor {
    private var isTalking: Bool { if case .talking = machine.phase { true } else { false } }

    package func receive(_ event: CallerEvent) async {
        switch event {
        case .cancelled: send(.callerCancelled)
        case .acknowledged(let body):
            send(.callerAcknowledged)
            await answeredInAcknowledgement(body, by: .caller)
        case .hungUp(let bye):
            send(.callerHungUp)
            confirm(bye)
        case .notAcknowledged: send(.acknowledgementMissing)
        case .request(let request):
            var dialog = request.dialog
            dialog.session = session.timers[.caller]?.agreement
            session.dialog = dialog
            switch request.method {
            case _ where isTalking: passOn(request, from: .caller)
            case .invite, .update: await renegotiate(request)
            case .info: inform(request)
            default: respond(request, SIPResponse(200))
            }
        }
    }

    /// The caller changes its description: another address, hold. Voicemail keeps its own; the relay joins them anew.
    private func renegotiate(_ request: InDialogRequest) async {
        guard let current = session.answerToCaller, !machine.isEnded else {
            // RFC 3261, section 14.2: not while the first INVITE is open.
            respond(request, SIPResponse(500, headers: [.retryAfter(seconds: 2)]))
            return
        }
        let audio = OfferedAudio(request.body)
        switch audio {
        case .absent where request.method == .update:
            // Refreshes the session without a word about media (RFC 3311).
            respond(request, SIPResponse(200))
        case .absent:
            session.awaitsAnswerInAcknowledgement.insert(.caller)
            respond(request, SIPResponse(200, body: .sdp(current)))
        case .usable(let offer):
            if let answer = await rejoin(offer) {
                respond(request, SIPResponse(200, body: .sdp(answer)))
            } else {
                refuse(request, 488, audio)
            }
        case .noCommonCodec, .foreignAddress, .multicast: refuse(request, 488, audio)
        case .unsupportedType: refuse(request, 415, audio)
        case .malformed: refuse(request, 400, audio)
        }
    }

    private func respond(_ request: InDialogRequest, _ response: SIPResponse) {
        leg.respond(to: request.transaction, response)
        agreed(request, response, with: .caller)
    }

    func refuse(_ request: InDialogRequest, _ status: Int, _ audio: OfferedAudio) {
        var headers: [SIPHeader] = []
        if status == 488 {
            headers = [audio.warning(agent: leg.dialog.localTarget.host)]
        } else if status == 415 {
            headers = [SIPHeader("Accept", "application/sdp")]
        }
        respond(request, SIPResponse(status, headers: headers))
    }

    /// The description for the caller; nil when the old one stays in force.
    func rejoin(_ offer: String) async -> String? {
        guard let described = session.calleeDescription, session.hasRelaySession,
            let fitted = RepeatedAnswer.fit(described, to: offer)
        else { return nil }
        let before = session.relaying
        let relaySession = session.relay.established
        let relay = services.relay
        let work = Task { () -> String? in
            await before?.value
            do throws(RelayError) {
                _ = try await relay.offer(offer, for: relaySession)
                return try await relay.answer(fitted, for: relaySession)
            } catch {
                return nil
            }
        }
        session.relaying = Task { _ = await work.value }
        guard let answer = await work.value else { return nil }
        let told = SessionVersion.follow(session.answerToCaller, with: answer)
        session.callerDescription = offer
        session.answerToCaller = told
        return told
    }

    /// Digits by INFO: # ends the message, as it does by RFC 4733; the others mean nothing to voicemail.
    private func inform(_ request: InDialogRequest) {
        switch request.body.flatMap(DTMFInfo.init) {
        case .digit(let digit):
            respond(request, SIPResponse(200))
            if digit == "#", session.isRecording { send(.endKeyPressed) }
        case .malformed: respond(request, SIPResponse(400))
        case nil:
            // RFC 6086, section 4.2.2: an INFO without a body is fine, one of an unknown kind is not.
            let isEmpty = request.body?.bytes.isEmpty ?? true
            let refusal = SIPResponse(
                415, headers: [SIPHeader("Accept", DTMFInfo.contentTypes.joined(separator: ", "))])
            respond(request, isEmpty ? SIPResponse(200) : refusal)
        }
    }
}
