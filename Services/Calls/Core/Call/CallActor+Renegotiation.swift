import Domain
package import SIP

// What one side of a call wants of the other while both talk: hold, another address, digits.
extension CallActor {
    func passOn(_ request: InDialogRequest, from side: CallSide) {
        guard case .talking = machine.phase, let peer = dialog(of: side == .caller ? .callee : .caller) else {
            // RFC 3261, section 14.2: not while the first INVITE is open.
            return respond(request, SIPResponse(500, headers: [.retryAfter(seconds: 2)]), to: side)
        }
        switch request.method {
        case .invite, .update: renegotiate(request, from: side, with: peer)
        case .info: Task { await passOnInfo(request, to: peer, of: side) }
        default: respond(request, SIPResponse(200), to: side)
        }
    }

    private func renegotiate(_ request: InDialogRequest, from side: CallSide, with peer: DialogState) {
        let audio = OfferedAudio(request.body)
        switch audio {
        case .absent where request.method == .update:
            // Refreshes the session without a word about media (RFC 3311).
            respond(request, SIPResponse(200), to: side)
        case .absent:
            guard let current = session.told(to: side) else { return respond(request, SIPResponse(488), to: side) }
            session.awaitsAnswerInAcknowledgement.insert(side)
            respond(request, SIPResponse(200, body: .sdp(current)), to: side)
        case .usable(let offer), .noCommonCodec(let offer):
            guard !session.isRenegotiating else { return respond(request, SIPResponse(491), to: side) }
            if offer == session.media(of: side).own, let current = session.told(to: side) {
                // Nothing new: only the session is refreshed, and that is this side's affair.
                return respond(request, SIPResponse(200, body: .sdp(current)), to: side)
            }
            // From now on, not from when the task begins.
            session.isRenegotiating = true
            Task {
                let response = await pass(offer, from: side, to: peer)
                respond(request, response, to: side)
                keep()
            }
        case .foreignAddress, .multicast: refuse(request, 488, audio)
        case .unsupportedType: refuse(request, 415, audio)
        case .malformed: refuse(request, 400, audio)
        }
    }

    /// Puts the offer of one side before the other, while nothing else changes; returns what the first is to be told.
    private func pass(_ offer: String, from side: CallSide, to peer: DialogState) async -> SIPResponse {
        session.isRenegotiating = true
        defer { session.isRenegotiating = false }
        let before = session.media(of: side)
        guard
            let fresh = await relayed(
                { relay, session throws(RelayError) in
                    try await relay.offer(offer, for: session)
                }, side)
        else { return SIPResponse(500, headers: [.retryAfter(seconds: 2)]) }
        let offered = SessionVersion.follow(before.toPeer, with: fresh)
        let request = OutgoingRequest(.invite, body: .sdp(offered))
        guard let response = await ask(request, in: peer.id) else { return SIPResponse(487) }
        if (200...299).contains(response.status), let answer = OfferedAudio(response.body).text,
            let fresh = await relayed(
                { relay, session throws(RelayError) in
                    try await relay.answer(answer, for: session)
                }, side)
        {
            let answered = SessionVersion.follow(before.toOwn, with: fresh)
            session.set(CallSession.Media(own: offer, toPeer: offered, peers: answer, toOwn: answered), of: side)
            return SIPResponse(200, body: .sdp(answered))
        }
        // The old descriptions stay in force (RFC 3261, section 14.1).
        if let own = before.own, let peers = before.peers {
            _ = await relayed({ relay, session throws(RelayError) in try await relay.offer(own, for: session) }, side)
            _ = await relayed(
                { relay, session throws(RelayError) in try await relay.answer(peers, for: session) }, side)
        }
        lookAfter(response, from: side == .caller ? .callee : .caller)
        switch response.status {
        case 401, 407, 408, 481, 200...299: return SIPResponse(500, headers: [.retryAfter(seconds: 2)])
        default: return SIPResponse(response.status)
        }
    }

    /// Digits and whatever else an INFO carries.
    private func passOnInfo(_ request: InDialogRequest, to peer: DialogState, of side: CallSide) async {
        let response = await ask(OutgoingRequest(.info, body: request.body), in: peer.id)
        if let response { lookAfter(response, from: side == .caller ? .callee : .caller) }
        let status = response?.status ?? 481
        respond(request, SIPResponse([401, 407, 408, 481].contains(status) ? 500 : status), to: side)
    }

    /// A side that does not answer, or does not know the call any more, is gone (RFC 3261, section 12.2.1.2).
    func lookAfter(_ response: ReceivedResponse, from side: CallSide) {
        if response.status == 408 || response.status == 481 { send(.signallingLost(side)) }
    }

    /// The answer to what our 200 offered: the other side is told when it changes something.
    func answeredInAcknowledgement(_ body: SIPBody?, by side: CallSide) async {
        guard session.awaitsAnswerInAcknowledgement.remove(side) != nil else { return }
        let answer = OfferedAudio(body).sdp
        if side == .caller, DelayedOffer.isStandIn(session.callerDescription) { return await callerDescribed(answer) }
        guard let sdp = answer else { return }
        guard case .talking = machine.phase else {
            if side == .caller { _ = await rejoin(sdp) }
            return
        }
        guard sdp != session.media(of: side).own, !session.isRenegotiating,
            let peer = dialog(of: side == .caller ? .callee : .caller)
        else { return }
        _ = await pass(sdp, from: side, to: peer)
        keep()
    }

    /// The answer to the offer in our 200 to the INVITE. Without one that fits, nobody hears anything.
    private func callerDescribed(_ sdp: String?) async {
        if let sdp, await rejoin(sdp) != nil { return keep() }
        guard case .talking = machine.phase, let sdp, let callee = dialog(of: .callee), !session.isRenegotiating else {
            return send(.relayFailed)
        }
        let response = await pass(sdp, from: .caller, to: callee)
        if response.status == 200 { keep() } else { send(.relayFailed) }
    }

    /// The answer to a re-INVITE of ours that only refreshed the session: a description that says something new is passed on.
    func answeredAnew(_ body: SIPBody?, by side: CallSide) async {
        guard let sdp = OfferedAudio(body).sdp, case .talking = machine.phase, let own = session.media(of: side).own,
            !SessionVersion.areSame(sdp, own), !session.isRenegotiating,
            let peer = dialog(of: side == .caller ? .callee : .caller)
        else { return }
        _ = await pass(sdp, from: side, to: peer)
    }

    func dialog(of side: CallSide) -> DialogState? {
        side == .caller ? session.dialog : winner?.dialog
    }

    /// Sends a request to a side; nil when the call ended before the answer came.
    func ask(_ request: OutgoingRequest, in dialog: DialogID) async -> ReceivedResponse? {
        guard !machine.isEnded else { return nil }
        let transaction = calls.send(request, in: dialog)
        return await withCheckedContinuation { session.requests[transaction] = $0 }
    }

    package func receive(_ response: ReceivedResponse) {
        if let state = response.state {
            if state.id == session.dialog.id {
                session.dialog = state
            } else if let index = session.legs.firstIndex(where: { $0.dialog?.id == state.id }) {
                session.legs[index].dialog = state
            }
            if (200...299).contains(response.status), response.method == .invite || response.method == .update {
                agreed(state.session, with: state.id == session.dialog.id ? .caller : .callee)
            }
        }
        guard response.status >= 200 else { return }
        session.requests.removeValue(forKey: response.transaction)?.resume(returning: response)
    }

    /// In the order in which the relay is asked.
    ///
    /// - Parameter isEstablished: the relay has both sides already.
    func relayed(
        _ request: @escaping @Sendable (any MediaRelay, RelaySession) async throws(RelayError) -> String,
        _ side: CallSide, isEstablished: Bool = true
    ) async -> String? {
        guard session.hasRelaySession else { return nil }
        let before = session.relaying
        let own = isEstablished ? session.relay.established : session.relay
        let relaySession = side == .caller ? own : own.reversed
        let relay = services.relay
        let work = Task { () -> String? in
            await before?.value
            do throws(RelayError) { return try await request(relay, relaySession) } catch { return nil }
        }
        session.relaying = Task { _ = await work.value }
        return await work.value
    }

    private func respond(_ request: InDialogRequest, _ response: SIPResponse, to side: CallSide) {
        calls.respond(to: request.transaction, response)
        agreed(request, response, with: side)
    }
}
