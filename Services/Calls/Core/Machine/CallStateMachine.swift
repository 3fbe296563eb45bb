package import Domain

/// The life of one incoming call: what happened goes in, what to do comes out. Time is passed in; nothing is awaited.
///
/// An event that comes late, twice or out of order changes nothing. The call's state only moves down the list of
/// `CallState`, and its `Termination` is set once.
package struct CallStateMachine: Sendable {
    package enum Phase: Hashable, Sendable {
        /// The directory is asked; nothing is stored yet.
        case checking
        case storingAuthorized(RingPlan)
        case findingDevices(RingPlan)
        case storingRinging(RingPlan)
        case ringing
        /// Diverted; the relay has the caller's description.
        case offering
        case takingCall
        case answering
        case savingDialog
        /// The 200 is on its way.
        case connected(acknowledged: Bool)
        /// All legs but the caller's are gone; a BYE may follow only the ACK (RFC 3261, section 15).
        case hangingUp(TerminationReason?)
        case ended
    }

    package private(set) var phase: Phase = .checking
    package private(set) var progress: CallProgress
    /// Whether a codec of ours was in the INVITE's description; a call without one ends with 488 once it is authorized.
    package let hasCommonCodec: Bool

    package init(hasCommonCodec: Bool, now: Moment) {
        self.hasCommonCodec = hasCommonCodec
        self.progress = CallProgress(created: now)
    }

    package var isEnded: Bool { phase == .ended }

    /// Moves on. The actions are to be carried out in their order.
    package mutating func handle(_ event: Event, now: Moment) -> [Action] {
        switch event {
        case .leaseLost: abandon()
        case .callerCancelled: cancelled(now: now)
        case .operatorHungUp: hungUp(.declined, status: nil, now: now)
        case .shutdown: hungUp(.serverRestarted, status: 503, now: now)
        case .callerHungUp: callerHungUp(now: now)
        case .endKeyPressed: keyPressed(now: now)
        case .relayFailed, .voicemailLost, .voicemailEnded: lost(event, now: now)
        default: progressed(event, now: now)
        }
    }
}

// MARK: - The way of a call that nobody disturbs

extension CallStateMachine {
    private mutating func progressed(_ event: Event, now: Moment) -> [Action] {
        switch (phase, event) {
        case (.checking, .refused(let reason)):
            return refuse(reason)

        case (.checking, .calleeFound(let plan)):
            phase = .storingAuthorized(plan)
            progress.state = .authorized
            progress.created = now
            return [step(now: now)]

        case (.storingAuthorized(let plan), .stored(version: 1, let result)):
            return authorized(plan, result, now: now)

        case (.findingDevices(let plan), .devicesKnown):
            phase = .storingRinging(plan)
            progress.state = .ringing
            progress.ringing = now
            return [step(now: now)]

        case (.storingRinging(let plan), .stored(version: 2, _)):
            phase = .ringing
            return [.sendRinging, .startRingTimer(plan.ringTime)]

        case (.ringing, .ringTimeOver):
            return divert(.noAnswer, now: now)

        case (.offering, .relayOffered):
            phase = .takingCall
            return [.takeCall]

        case (.takingCall, .voicemailAnswered):
            phase = .answering
            return [.answerToRelay]

        case (.answering, .relayAnswered):
            phase = .savingDialog
            return [.saveDialog]

        case (.savingDialog, .dialogSaved):
            phase = .connected(acknowledged: false)
            return [.sendAnswer]

        case (.connected(acknowledged: false), .callerAcknowledged):
            phase = .connected(acknowledged: true)
            return []

        case (.connected(acknowledged: false), .acknowledgementMissing):
            return [.leaveVoicemail, .deleteRelaySession] + end(now: now) + farewell(.signallingLost)

        case (.hangingUp(let reason), .callerAcknowledged), (.hangingUp(let reason), .acknowledgementMissing):
            return farewell(reason)

        default:
            return []
        }
    }

    private mutating func authorized(_ plan: RingPlan, _ result: StoreResult, now: Moment) -> [Action] {
        if result == .failed {
            // The commit may have been lost on the way back: the row, if there is one, is closed when it can be.
            return end(.overCapacity, by: .server, now: now)
        }
        if !hasCommonCodec { return end(.noCommonCodec, by: .server, now: now) }
        if plan.declines { return divert(.declined, now: now) }
        phase = .findingDevices(plan)
        return [.findDevices]
    }

    /// From here on the call is `unanswered`, for this reason, whatever comes of the message.
    private mutating func divert(_ reason: TerminationReason, now: Moment) -> [Action] {
        phase = .offering
        progress.state = .unanswered
        progress.termination = Termination(reason, by: .callee)
        progress.divertedToVoicemail = true
        return [step(now: now), .offerToRelay]
    }
}

// MARK: - Endings

extension CallStateMachine {
    private mutating func abandon() -> [Action] {
        guard phase != .ended else { return [] }
        var actions: [Action] = phase == .ringing ? [.cancelRingTimer] : []
        if hasVoicemail { actions.append(.leaveVoicemail) }
        phase = .ended
        return actions + [.finish]
    }

    /// The stack has answered the INVITE with 487. A 200 that was on its way to the stack came too late, and no ACK follows.
    private mutating func cancelled(now: Moment) -> [Action] {
        switch phase {
        case .connected(acknowledged: true), .ended: []
        case .connected(acknowledged: false), .hangingUp: callerHungUp(now: now)
        default: end(.callerCancelled, status: TerminationReason.callerCancelled.sipStatus, by: .caller, now: now)
        }
    }

    /// Leaves voicemail as if the caller had hung up, then hangs up: the caller pressed #.
    private mutating func keyPressed(now: Moment) -> [Action] {
        guard case .connected(let acknowledged) = phase else { return [] }
        return [.leaveVoicemail] + release(acknowledged: acknowledged, nil, now: now)
    }

    private mutating func callerHungUp(now: Moment) -> [Action] {
        switch phase {
        case .connected:
            let actions: [Action] = [.leaveVoicemail, .deleteRelaySession] + end(now: now)
            phase = .ended
            return actions + [.finish]
        case .hangingUp:
            phase = .ended
            return [.finish]
        default:
            // A BYE in an early dialog ends the INVITE too (RFC 3261, section 15.1.2).
            return cancelled(now: now)
        }
    }

    private mutating func hungUp(_ reason: TerminationReason, status: Int?, now: Moment) -> [Action] {
        switch phase {
        case .hangingUp, .ended: []
        case .connected(let acknowledged):
            [.leaveVoicemail] + release(acknowledged: acknowledged, reason, now: now)
        default: end(reason, status: status, by: .server, now: now)
        }
    }

    private mutating func lost(_ event: Event, now: Moment) -> [Action] {
        switch (phase, event) {
        case (.offering, .relayFailed), (.takingCall, .relayFailed), (.answering, .relayFailed),
            (.savingDialog, .relayFailed), (.takingCall, .voicemailLost), (.answering, .voicemailLost),
            (.savingDialog, .voicemailLost), (.takingCall, .voicemailEnded), (.answering, .voicemailEnded),
            (.savingDialog, .voicemailEnded):
            // The caller gets the reason that would have diverted the call.
            progress.divertedToVoicemail = false
            return end(.serverError, by: .server, now: now)
        case (.connected(let acknowledged), .relayFailed):
            return [.leaveVoicemail] + release(acknowledged: acknowledged, .relayFailed, now: now)
        case (.connected(let acknowledged), .voicemailLost):
            return release(acknowledged: acknowledged, .serverError, now: now)
        case (.connected(let acknowledged), .voicemailEnded):
            return release(acknowledged: acknowledged, nil, now: now)
        default:
            return []
        }
    }

    /// Ends a call that was never stored.
    private mutating func refuse(_ reason: TerminationReason, status: Int? = nil) -> [Action] {
        phase = .ended
        progress.termination = Termination(reason, by: reason == .callerCancelled ? .caller : .server)
        return [.reject(status: status ?? reason.sipStatus, reason), .finish]
    }

    /// Ends a call whose INVITE is open, for `reason` unless it has one already, which then also gives the status.
    private mutating func end(
        _ reason: TerminationReason, status: Int? = nil, by side: CallSide, now: Moment
    ) -> [Action] {
        guard phase != .checking else { return refuse(reason, status: status) }
        var actions: [Action] = phase == .ringing ? [.cancelRingTimer] : []
        if hasVoicemail { actions.append(.leaveVoicemail) }
        if hasRelaySession { actions.append(.deleteRelaySession) }
        if progress.termination == nil { progress.termination = Termination(reason, by: side) }
        progress.state = .unanswered
        let kept = progress.termination?.reason ?? reason
        actions += end(now: now)
        phase = .ended
        return actions + [.reject(status: status ?? kept.sipStatus, status == nil ? kept : reason), .finish]
    }

    private mutating func release(acknowledged: Bool, _ reason: TerminationReason?, now: Moment) -> [Action] {
        let actions: [Action] = [.deleteRelaySession] + end(now: now)
        guard acknowledged else {
            phase = .hangingUp(reason)
            return actions
        }
        return actions + farewell(reason)
    }

    private mutating func farewell(_ reason: TerminationReason?) -> [Action] {
        phase = .ended
        return [.sendBye(reason), .finish]
    }

    private mutating func end(now: Moment) -> [Action] {
        progress.ended = now
        return [step(now: now)]
    }

    private mutating func step(now: Moment) -> Action {
        progress.version += 1
        progress.updated = max(now, progress.updated)
        return .store(progress)
    }

    private var hasVoicemail: Bool {
        switch phase {
        case .takingCall, .answering, .savingDialog, .connected: true
        default: false
        }
    }

    private var hasRelaySession: Bool { phase == .offering || hasVoicemail }
}
