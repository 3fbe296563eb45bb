import Domain
import SIP

// Session timers (RFC 4028), of each side its own: neither knows what the other has agreed on.
extension CallActor {
    /// How long to wait before a refresh that failed for a reason that passes is sent again, when nobody says.
    private static let refreshPause: Duration = .seconds(5)

    /// A 2xx to an INVITE or UPDATE went one way or the other.
    func agreed(_ agreement: SessionAgreement?, with side: CallSide) {
        session.timers[side] = agreement.map { SessionTimer($0, at: services.now().sinceEpoch) }
        watchTimers()
    }

    /// The other side was there, whatever it said: the answer to a request of its own.
    func agreed(_ request: InDialogRequest, _ response: SIPResponse, with side: CallSide) {
        guard request.method == .invite || request.method == .update, (200...299).contains(response.status) else {
            return
        }
        agreed(request.dialog.session, with: side)
    }

    /// Goes on with what another process agreed on.
    func resumeTimers() {
        let now = services.now().sinceEpoch
        for side in session.timers.keys { session.timers[side]?.resumed(at: now) }
        watchTimers()
    }

    private func watchTimers() {
        timer?.cancel()
        guard !machine.isEnded, let deadline = session.timers.values.compactMap(\.deadline).min() else { return }
        let wait = max(.zero, deadline - services.now().sinceEpoch)
        timer = Task {
            do { try await Task.sleep(for: wait) } catch { return }
            timersDue()
        }
    }

    /// Does what the timers ask for now.
    package func timersDue() {
        let now = services.now().sinceEpoch
        for side in [CallSide.caller, .callee] where !machine.isEnded {
            switch session.timers[side]?.due(at: now) {
            case .refresh: Task { await refresh(side) }
            case .expire: send(.sessionExpired)
            case nil: break
            }
        }
        watchTimers()
    }

    private func refresh(_ side: CallSide) async {
        guard let dialog = dialog(of: side), let told = session.told(to: side) else { return }
        let usesUpdate = dialog.allowsUpdate && !session.refusesUpdate.contains(side)
        guard usesUpdate || !session.isRenegotiating else { return refreshLater(side, .seconds(1)) }
        if !usesUpdate { session.isRenegotiating = true }
        let request = usesUpdate ? OutgoingRequest(.update) : OutgoingRequest(.invite, body: .sdp(told))
        let response = await ask(request, in: dialog.id)
        if !usesUpdate { session.isRenegotiating = false }
        guard let response, !machine.isEnded else { return }
        switch response.status {
        case 200...299:
            if !usesUpdate { await answeredAnew(response.body, by: side) }
            keep()
        case 408, 481: lookAfter(response, from: side)
        case 405,
            501 where usesUpdate:
            session.refusesUpdate.insert(side)
            refreshLater(side, .zero)
        case 491: refreshLater(side, dialog.glareDelay())
        default: refreshLater(side, response.retryAfter ?? CallActor.refreshPause)
        }
    }

    private func refreshLater(_ side: CallSide, _ pause: Duration) {
        session.timers[side]?.refreshFailed(at: services.now().sinceEpoch, retryAfter: pause)
        watchTimers()
    }
}

extension Moment {
    /// On the clock of `SessionTimer`.
    var sinceEpoch: Duration { .microseconds(microseconds) }
}
