import Domain

// How a call ends that its two sides did not talk in, and how one ends that voicemail has.
extension CallStateMachine {
    mutating func abandon() -> [Action] {
        guard phase != .ended else { return [] }
        var actions: [Action] = isTimed ? [.cancelRingTimer] : []
        if hasVoicemail { actions.append(.leaveVoicemail) }
        phase = .ended
        return actions + [.finish]
    }

    /// The stack has answered the INVITE with 487. A 200 that was on its way to the stack came too late, and no ACK follows.
    mutating func cancelled(now: Moment) -> [Action] {
        switch phase {
        case .connected(acknowledged: true), .talking(_, acknowledged: true), .ended: []
        case .connected(acknowledged: false), .hangingUp, .savingAnswer, .talking: callerHungUp(now: now)
        default: end(.callerCancelled, status: TerminationReason.callerCancelled.sipStatus, by: .caller, now: now)
        }
    }

    /// Leaves voicemail as if the caller had hung up, then hangs up: the caller pressed #.
    mutating func keyPressed(now: Moment) -> [Action] {
        guard case .connected(let acknowledged) = phase else { return [] }
        return [.leaveVoicemail] + release(acknowledged: acknowledged, nil, now: now)
    }

    mutating func callerHungUp(now: Moment) -> [Action] {
        switch phase {
        case .connected:
            let actions: [Action] = [.leaveVoicemail, .deleteRelaySession] + end(now: now)
            phase = .ended
            return actions + [.finish]
        case .hangingUp:
            phase = .ended
            return [.finish]
        case .savingAnswer, .talking:
            return complete(.callerHungUp, by: .caller, now: now)
        default:
            // A BYE in an early dialog ends the INVITE too (RFC 3261, section 15.1.2).
            return cancelled(now: now)
        }
    }

    mutating func hungUp(_ reason: TerminationReason, status: Int?, now: Moment) -> [Action] {
        switch phase {
        case .hangingUp, .ended: []
        case .connected(let acknowledged):
            [.leaveVoicemail] + release(acknowledged: acknowledged, reason, now: now)
        // The operator is neither side; the record says that the call was ended in the ordinary way.
        case .savingAnswer, .talking: complete(reason == .declined ? .calleeHungUp : reason, by: .server, now: now)
        default: end(reason, status: status, by: .server, now: now)
        }
    }

    mutating func lost(_ event: Event, now: Moment) -> [Action] {
        switch (phase, event) {
        case (.offering, .relayFailed), (.takingCall, .relayFailed), (.answering, .relayFailed),
            (.savingDialog, .relayFailed):
            // Nobody declined and nobody was waited for in vain: the caller may try again.
            progress.divertedToVoicemail = false
            return end(.relayFailed, status: TerminationReason.relayFailed.sipStatus, by: .server, now: now)
        case (.takingCall, .voicemailLost), (.answering, .voicemailLost),
            (.savingDialog, .voicemailLost), (.takingCall, .voicemailEnded), (.answering, .voicemailEnded),
            (.savingDialog, .voicemailEnded):
            // The caller gets the reason that would have diverted the call.
            progress.divertedToVoicemail = false
            return end(.serverError, by: .server, now: now)
        case (.preparing, .relayFailed), (.trying, .relayFailed), (.joining, .relayFailed):
            return end(.relayFailed, by: .server, now: now)
        case (.ringing, .relayFailed) where isOffered:
            return end(.relayFailed, by: .server, now: now)
        case (.savingAnswer, .relayFailed), (.talking, .relayFailed):
            return complete(.relayFailed, by: .server, now: now)
        case (.connected(let acknowledged), .relayFailed):
            return [.leaveVoicemail] + release(acknowledged: acknowledged, .relayFailed, now: now)
        case (.connected, .voicemailLost) where !isRetaken:
            isRetaken = true
            awaitsRetake = true
            return [.retakeCall]
        case (.connected(let acknowledged), .voicemailLost):
            return release(acknowledged: acknowledged, .serverError, now: now)
        case (.connected(let acknowledged), .voicemailEnded):
            return release(acknowledged: acknowledged, nil, now: now)
        default:
            return []
        }
    }

    /// Ends a call that was never stored.
    mutating func refuse(_ reason: TerminationReason, status: Int? = nil) -> [Action] {
        phase = .ended
        progress.termination = Termination(reason, by: reason == .callerCancelled ? .caller : .server)
        return [.reject(status: status ?? reason.sipStatus, reason), .finish]
    }

    /// Ends a call whose INVITE is open, for `reason` unless it has one already, which then also gives the status.
    mutating func end(
        _ reason: TerminationReason, status: Int? = nil, by side: CallSide, now: Moment
    ) -> [Action] {
        guard phase != .checking else { return refuse(reason, status: status) }
        var actions = cancelLegs(reason)
        if hasVoicemail { actions.append(.leaveVoicemail) }
        if hasRelaySession { actions.append(.deleteRelaySession) }
        if progress.termination == nil { progress.termination = Termination(reason, by: side) }
        progress.state = .unanswered
        let kept = progress.termination?.reason ?? reason
        actions += end(now: now)
        phase = .ended
        return actions + [.reject(status: status ?? kept.sipStatus, status == nil ? kept : reason), .finish]
    }

    mutating func release(acknowledged: Bool, _ reason: TerminationReason?, now: Moment) -> [Action] {
        let actions: [Action] = [.deleteRelaySession] + end(now: now)
        guard acknowledged else {
            phase = .hangingUp(reason)
            return actions
        }
        return actions + farewell(reason)
    }

    mutating func farewell(_ reason: TerminationReason?) -> [Action] {
        phase = .ended
        return [.sendBye(reason), .finish]
    }

    mutating func end(now: Moment) -> [Action] {
        progress.ended = now
        return [step(now: now)]
    }

    mutating func step(now: Moment) -> Action {
        progress.version += 1
        progress.updated = max(now, progress.updated)
        return .store(progress)
    }

    /// Stops what still rings, and lets go of a leg whose answer came in this moment.
    mutating func cancelLegs(_ reason: TerminationReason) -> [Action] {
        var actions: [Action] = isTimed ? [.cancelRingTimer] : []
        if case .joining(let leg) = phase { actions.append(.dismissLeg(leg, reason)) }
        fork.winnerEnded(reason)
        let open = fork.close(reason)
        if !open.isEmpty { actions.append(.cancelLegs(open, reason)) }
        return actions
    }

    private var isTimed: Bool { phase == .ringing || phase == .trying }

    private var hasVoicemail: Bool {
        switch phase {
        case .takingCall, .answering, .savingDialog, .connected: true
        default: false
        }
    }

    private var hasRelaySession: Bool {
        isOffered || phase == .offering || phase == .preparing || hasVoicemail
    }
}
