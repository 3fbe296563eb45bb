import Domain

// How a call ends that somebody answered, and how another process goes on with one.
extension CallStateMachine {
    mutating func talkEnded(_ event: Event, now: Moment) -> [Action] {
        switch (phase, event) {
        case (.savingAnswer, .calleeHungUp), (.talking, .calleeHungUp):
            complete(.calleeHungUp, by: .callee, now: now)
        case (.savingAnswer, .signallingLost(let side)), (.talking, .signallingLost(let side)):
            complete(.signallingLost, by: side, now: now)
        case (.talking, .sessionExpired): complete(.sessionExpired, by: .server, now: now)
        case (.talking, .mediaStopped): complete(.mediaTimeout, by: .server, now: now)
        case (.connected(let acknowledged), .signallingLost(.caller)):
            [.leaveVoicemail] + release(acknowledged: acknowledged, .signallingLost, now: now)
        case (.connected(let acknowledged), .sessionExpired):
            [.leaveVoicemail] + release(acknowledged: acknowledged, .sessionExpired, now: now)
        default: []
        }
    }

    /// Ends a call whose answer is stored. Each side that does not know it yet is told.
    mutating func complete(_ reason: TerminationReason, by side: CallSide, now: Moment) -> [Action] {
        let wasSaving: Bool
        let leg: Int
        switch phase {
        case .savingAnswer(let winner): (leg, wasSaving) = (winner, true)
        case .talking(let winner, _): (leg, wasSaving) = (winner, false)
        default: return []
        }
        fork.winnerEnded(reason)
        progress.state = .completed
        progress.termination = Termination(reason, by: side)
        let told = reason == .callerHungUp || reason == .calleeHungUp ? nil : reason
        var actions: [Action] = []
        if reason != .calleeHungUp || side == .server {
            actions.append(wasSaving ? .dismissLeg(leg, reason) : .hangUpLeg(leg, told))
        }
        actions.append(.deleteRelaySession)
        actions += end(now: now)
        phase = .ended
        if reason != .callerHungUp {
            actions.append(wasSaving ? .reject(status: status(of: reason), reason) : .sendBye(told))
        } else if wasSaving {
            actions.append(.reject(status: TerminationReason.callerCancelled.sipStatus, .callerCancelled))
        }
        return actions + [.finish]
    }

    /// Only a caller who was answered can be told of another relay.
    mutating func relayLost(now: Moment) -> [Action] {
        switch phase {
        case .talking: return [.moveToAnotherRelay]
        case .connected where !awaitsRetake:
            isRetaken = true
            awaitsRetake = true
            tellsCaller = true
            return [.offerToRelay]
        default: return lost(.relayFailed, now: now)
        }
    }

    private func status(of reason: TerminationReason) -> Int {
        reason == .calleeHungUp ? TerminationReason.noAnswer.sipStatus : reason.sipStatus
    }

    /// The time until which it rings; nil when nothing rings.
    package var ringDeadline: Moment? {
        guard let plan, phase == .ringing || phase == .trying else { return nil }
        return (progress.ringing ?? progress.created) + plan.ringTime
    }

    /// Takes what was stored before it was said for said: the process that was about to answer may have done so, and an INVITE
    /// that may have got its 200 gets no other final response any more (RFC 3261, section 15). To be called before the first
    /// event in another process.
    package mutating func takeOver() {
        switch phase {
        case .savingAnswer(let leg): phase = .talking(leg, acknowledged: false)
        case .savingDialog:
            phase = .connected(acknowledged: false)
            isRetaken = true
            awaitsRetake = true
        default: break
        }
    }

    /// What the process that takes the call over does first. A step that was stored has been seen by it; what was promised to
    /// a peer after that may not have been.
    package mutating func resume(now: Moment) -> [Action] {
        takeOver()
        switch phase {
        case .checking: return refuse(.serverRestarted, status: 503)
        case .storingAuthorized(let plan): return authorized(plan, .durable, now: now)
        case .findingDevices: return [.findDevices]
        case .storingRinging:
            phase = .ringing
            return [.sendRinging, .startRingTimer(remainingRingTime(now))]
        case .preparing: return [.offerToRelay]
        case .joining:
            // The answer was not stored, so it was not acknowledged: it is repeated.
            fork.forgetWinner()
            phase = progress.state == .ringing ? .ringing : .trying
            return ringOn(now)
        case .trying, .ringing: return ringOn(now)
        case .talking(let leg, acknowledged: false): return [.acknowledgeLeg(leg), .sendAnswer]
        case .talking: return []
        case .offering, .takingCall, .answering:
            phase = .offering
            return [.offerToRelay]
        case .connected:
            isRetaken = true
            awaitsRetake = true
            return [.retakeCall] + (isAcknowledged ? [] : [.sendAnswer])
        case .hangingUp(let reason): return farewell(reason)
        case .savingAnswer, .savingDialog, .ended: return []
        }
    }

    /// An INVITE that went out already is repeated: the phone answers it again, and does not ring twice.
    private mutating func ringOn(_ now: Moment) -> [Action] {
        let legs = fork.unheard
        _ = fork.stored(legs)
        return (legs.isEmpty ? [] : [.inviteLegs(legs)]) + [.startRingTimer(remainingRingTime(now))]
    }

    private func remainingRingTime(_ now: Moment) -> Duration {
        guard let deadline = ringDeadline else { return .zero }
        return .microseconds(max(0, deadline.microseconds - now.microseconds))
    }
}
