import Domain
import Observability
import SIP

// The sides that are called.
extension CallActor {
    /// Makes the INVITEs of these legs; they are sent once a successor would find them.
    func prepareLegs(_ indices: [Int]) {
        guard let facts, let offer = session.offerToCallee else { return }
        for index in indices {
            let invite = OutgoingInvite(
                to: session.legs[index].target, of: facts, host: session.dialog.localTarget.host,
                maxForwards: maxForwards, offer: offer)
            let state = calls.prepare(invite)
            session.legs[index].invite = state
            routes(.invite(state.id))
        }
        keep { .legsStored(indices) }
    }

    func inviteLegs(_ indices: [Int]) {
        for index in indices {
            guard let state = session.legs[index].invite else { continue }
            services.meters.legs.increment()
            calls.invite(state, credentials: session.credentials[index])
        }
    }

    func cancelLegs(_ indices: [Int], _ reason: TerminationReason) {
        for index in indices {
            services.meters.legEnded(reason)
            guard let invite = session.legs[index].invite else { continue }
            calls.cancel(invite.id, reason: .cancellation(reason))
        }
    }

    func acknowledgeLeg(_ index: Int) {
        guard let dialog = session.legs[index].dialog else { return }
        calls.acknowledge(dialog.id, body: nil)
    }

    func hangUpLeg(_ index: Int, _ reason: TerminationReason?) {
        guard let dialog = session.legs[index].dialog else { return }
        services.meters.legEnded(reason ?? .callerHungUp)
        let farewell = Farewell(in: dialog, reason: .farewell(reason))
        services.farewells.say(farewell, under: lease) { calls.send(farewell.request, in: dialog.id) }
    }

    func hangUpCaller(_ reason: TerminationReason?) {
        let header = SIPHeader.farewell(reason)
        services.farewells.say(Farewell(in: session.dialog, reason: header), under: lease) { leg.bye(reason: header) }
    }

    func receive(fromCallee event: CalleeEvent) async {
        switch event {
        case .answered(let response): answered(response)
        case .changed(let state):
            guard let index = session.leg(state.id) else { return }
            session.legs[index].invite = state
            keep()
        case .hungUp(let dialog, let bye):
            if let winner, winner.dialog?.id == dialog {
                services.meters.legEnded(.calleeHungUp)
                send(.calleeHungUp)
            }
            confirm(bye)
        case .request(let request):
            guard let index = machine.fork.winner, session.legs[index].dialog?.id == request.dialog.id else {
                return calls.respond(to: request.transaction, SIPResponse(481))
            }
            var dialog = request.dialog
            dialog.session = session.timers[.callee]?.agreement
            session.legs[index].dialog = dialog
            passOn(request, from: .callee)
        case .acknowledged(let body): await answeredInAcknowledgement(body, by: .callee)
        case .notAcknowledged: send(.signallingLost(.callee))
        }
    }

    /// The leg that answered first.
    var winner: CallLeg? { machine.fork.winner.map { session.legs[$0] } }

    private func answered(_ response: InviteResponse) {
        guard let index = session.leg(response.invite) else { return }
        let description = OfferedAudio(response.body).sdp
        if !response.isFinal {
            if let description, description != session.legs[index].description {
                session.legs[index].description = description
                send(.legDescribed(index))
            }
            if response.status == 180 || response.status == 183 { send(.legRang(index)) }
        } else if response.isAnswer {
            session.legs[index].dialog = response.dialog
            session.legs[index].description = description ?? session.legs[index].description
            if let dialog = response.dialog { routes(.dialog(dialog.id)) }
            if machine.fork.winner == nil { agreed(response.dialog?.session, with: .callee) }
            send(.legAnswered(index))
        } else {
            let reason = TerminationReason(
                calleeStatus: response.status, isFromPeer: response.isFromPeer,
                isTrunk: session.legs[index].target.isTrunk)
            if machine.fork.open.contains(index) { services.meters.legEnded(reason) }
            send(.legFailed(index, reason))
        }
    }
}

extension SIPHeader {
    /// Why a phone stops ringing (RFC 3326).
    fileprivate static func cancellation(_ reason: TerminationReason) -> SIPHeader? {
        guard case .cancel(let status) = reason.sip else { return nil }
        return .reason(sip: status, text: "Call completed elsewhere")
    }
}
