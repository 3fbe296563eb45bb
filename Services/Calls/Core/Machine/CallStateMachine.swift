package import Domain

/// The life of one incoming call: what happened goes in, what to do comes out. Time is passed in; nothing is awaited.
///
/// An event that comes late, twice or out of order changes nothing. The call's state only moves down the list of
/// `CallState`, and its `Termination` is set once.
///
/// A value that can be stored: `resume(now:)` says what is to be done again by whoever goes on with the call.
package struct CallStateMachine: Sendable, Codable {
    package enum Phase: Hashable, Sendable, Codable {
        /// The directory is asked; nothing is stored yet.
        case checking
        case storingAuthorized(RingPlan)
        case findingDevices(RingPlan)
        case storingRinging(RingPlan)
        case ringing
        /// The relay gets the caller's description, for the legs that are to be called.
        case preparing
        /// Legs are made, stored and called; none rings.
        case trying
        /// A leg answered; the relay joins both sides.
        case joining(Int)
        case savingAnswer(Int)
        /// Two sides talk. `acknowledged`: the caller's ACK came.
        case talking(Int, acknowledged: Bool)
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

    package internal(set) var phase: Phase = .checking
    package internal(set) var progress: CallProgress
    package internal(set) var plan: RingPlan?
    package internal(set) var fork = CallFork(legs: 0, isSequential: false)
    /// The relay has the caller's description.
    var isOffered = false
    /// Voicemail was lost while it recorded, and has been asked again.
    var isRetaken = false
    /// How often another one has gone on with the message; nil in what an older version stored.
    var retakes: Int?
    var awaitsRetake = false
    /// The caller is to be told of another relay, once that has joined voicemail.
    var tellsCaller: Bool?
    /// A message that brings down whoever records it ends at last.
    package static let maximumRetakes = 8
    /// Whether a codec of ours was in the INVITE's description; a call without one ends with 488 once it is authorized.
    package let hasCommonCodec: Bool

    package init(hasCommonCodec: Bool, now: Moment) {
        self.hasCommonCodec = hasCommonCodec
        self.progress = CallProgress(created: now)
    }

    package var isEnded: Bool { phase == .ended }

    /// Nothing is stored yet, voicemail is being asked or records, or a BYE waits for the caller's ACK: it goes on elsewhere
    /// only as well as after a crash.
    package var needsThisProcess: Bool {
        switch phase {
        case .checking, .offering, .takingCall, .answering, .savingDialog, .connected, .hangingUp: true
        default: false
        }
    }

    /// Moves on. The actions are to be carried out in their order.
    package mutating func handle(_ event: Event, now: Moment) -> [Action] {
        switch event {
        case .leaseLost: abandon()
        case .callerCancelled: cancelled(now: now)
        case .operatorHungUp: hungUp(.declined, status: nil, now: now)
        case .shutdown: hungUp(.serverRestarted, status: 503, now: now)
        case .callerHungUp: callerHungUp(now: now)
        case .endKeyPressed: keyPressed(now: now)
        case .relayLost: relayLost(now: now)
        case .relayFailed, .voicemailLost, .voicemailEnded: lost(event, now: now)
        case .legsStored, .legRang, .legDescribed, .earlyMediaReady, .legAnswered, .legFailed: leg(event, now: now)
        case .calleeHungUp, .signallingLost, .sessionExpired, .mediaStopped: talkEnded(event, now: now)
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
            self.plan = plan
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

        case (.preparing, .relayOffered):
            isOffered = true
            phase = .trying
            return [.prepareLegs(fork.start()), .startRingTimer(plan?.ringTime ?? .zero)]

        case (.trying, .ringTimeOver):
            return divert(.noAnswer, now: now)

        case (.joining(let leg), .relayAnswered):
            return joined(leg, now: now)

        case (.savingAnswer(let leg), .stored(version: progress.version, _)):
            phase = .talking(leg, acknowledged: false)
            return [.acknowledgeLeg(leg), .sendAnswer]

        case (.talking(let leg, acknowledged: false), .callerAcknowledged):
            phase = .talking(leg, acknowledged: true)
            return [.keep]

        case (.talking, .acknowledgementMissing):
            return talkEnded(.signallingLost(.caller), now: now)

        case (.offering, .relayOffered):
            isOffered = true
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
            return [.keep]

        case (.connected, .voicemailAnswered) where awaitsRetake:
            // Another recording goes on with the message, and may get lost as well.
            awaitsRetake = false
            let count = (retakes ?? 0) + 1
            retakes = count
            isRetaken = count >= CallStateMachine.maximumRetakes
            return [.answerToRelay]

        case (.connected, .relayOffered) where awaitsRetake:
            return [.retakeCall]

        case (.connected, .relayAnswered) where tellsCaller == true:
            tellsCaller = nil
            return [.moveCaller]

        case (.connected(acknowledged: false), .acknowledgementMissing):
            return [.leaveVoicemail, .deleteRelaySession] + end(now: now) + farewell(.signallingLost)

        case (.hangingUp(let reason), .callerAcknowledged), (.hangingUp(let reason), .acknowledgementMissing):
            return farewell(reason)

        default:
            return []
        }
    }

    mutating func authorized(_ plan: RingPlan, _ result: StoreResult, now: Moment) -> [Action] {
        if result == .failed {
            // The commit may have been lost on the way back: the row, if there is one, is closed when it can be.
            return end(.overCapacity, by: .server, now: now)
        }
        if !hasCommonCodec { return end(.noCommonCodec, by: .server, now: now) }
        if plan.declines { return divert(.declined, now: now) }
        if plan.legs > 0 {
            fork = CallFork(legs: plan.legs, isSequential: plan.isThroughTrunk)
            phase = .preparing
            return [.offerToRelay]
        }
        phase = .findingDevices(plan)
        return [.findDevices]
    }

    /// From here on the call is `unanswered`, for this reason, whatever comes of the message. Who called through a trunk is told
    /// the reason instead.
    mutating func divert(_ reason: TerminationReason, now: Moment) -> [Action] {
        guard plan?.isThroughTrunk != true else { return end(reason, by: .callee, now: now) }
        let cancelled = cancelLegs(reason)
        phase = isOffered ? .takingCall : .offering
        progress.state = .unanswered
        progress.termination = Termination(reason, by: .callee)
        progress.divertedToVoicemail = true
        return cancelled + [step(now: now), isOffered ? .takeCall : .offerToRelay]
    }
}
