import Domain

// The sides that are called: who rings, who answers first, who does not.
extension CallStateMachine {
    mutating func leg(_ event: Event, now: Moment) -> [Action] {
        switch event {
        case .legsStored(let legs): invite(legs)
        case .legRang(let leg): rang(leg, now: now)
        case .legDescribed(let leg): described(leg, now: now)
        case .earlyMediaReady: isCalling ? [.sendEarlyMedia] : []
        case .legAnswered(let leg): answered(leg)
        case .legFailed(let leg, let reason): failed(leg, reason, now: now)
        default: []
        }
    }

    private mutating func invite(_ stored: [Int]) -> [Action] {
        guard isCalling else { return [] }
        let ready = fork.stored(stored)
        return ready.isEmpty ? [] : [.inviteLegs(ready)]
    }

    private var isCalling: Bool { isOffered && (phase == .trying || phase == .ringing) }

    /// What a successor needs to ring on was stored with the first step: the caller need not wait for this one.
    private mutating func rang(_ leg: Int, now: Moment) -> [Action] {
        guard isCalling, fork.rang(leg), phase == .trying else { return [] }
        phase = .ringing
        progress.state = .ringing
        progress.ringing = now
        return [step(now: now), .sendRinging]
    }

    /// Announcements and ringing tones of the telephone network. Phones that ring together have nothing to say yet.
    private mutating func described(_ leg: Int, now: Moment) -> [Action] {
        guard isCalling, fork.isSequential, fork.open.contains(leg) else { return [] }
        return rang(leg, now: now).filter { $0 != .sendRinging } + [.joinEarly(leg)]
    }

    private mutating func answered(_ leg: Int) -> [Action] {
        guard isCalling, let others = fork.answered(leg) else {
            // It crossed our CANCEL, or another was faster.
            return fork.winner == leg ? [] : [.dismissLeg(leg, .answeredElsewhere)]
        }
        phase = .joining(leg)
        let cancel: [Action] = others.isEmpty ? [] : [.cancelLegs(others, .answeredElsewhere)]
        return [.cancelRingTimer] + cancel + [.joinLeg(leg)]
    }

    private mutating func failed(_ leg: Int, _ reason: TerminationReason, now: Moment) -> [Action] {
        guard isCalling else { return [] }
        switch fork.failed(leg, reason) {
        case .nothing: return []
        case .next(let leg): return [.prepareLegs([leg])]
        case .exhausted(let reason): return divert(reason, now: now)
        }
    }

    mutating func joined(_ leg: Int, now: Moment) -> [Action] {
        phase = .savingAnswer(leg)
        progress.state = .answered
        progress.answered = now
        return [step(now: now)]
    }
}
