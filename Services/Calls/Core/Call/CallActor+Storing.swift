import Domain
import Runtime
import SIP

// What a successor finds.
extension CallActor {
    private static let longestConfirmation: Duration = .seconds(1)

    /// One step after the other: the next is handed over once the one before is written or known to wait.
    ///
    /// - Parameter machine: as it was when the step was taken.
    func store(_ progress: CallProgress, _ machine: CallStateMachine) {
        guard let facts else { return }
        let continuation = continuation(machine)
        let write: CallWrite =
            if progress.version == 1 {
                .create(
                    facts,
                    CallOrigin(
                        invite: invite.rawMessage, continuation: continuation, instance: services.instance,
                        relay: services.relayName), progress)
            } else {
                .advance(facts, progress, continuation, instance: services.instance)
            }
        append(write) { outcome in
            switch outcome {
            case .durable: .stored(version: progress.version, .durable)
            case .deferred: .stored(version: progress.version, .deferred)
            // A later step that the store refuses for good has been reported; the caller is not to suffer from it.
            case .failed: .stored(version: progress.version, progress.version == 1 ? .failed : .deferred)
            case .stale: .leaseLost
            }
        }
    }

    /// Stores what changed without a step.
    ///
    /// - Parameter event: to go on with, once it is stored or known to wait.
    func keep(then event: @escaping @Sendable () -> Event? = { nil }) {
        guard let facts, machine.progress.version > 0, machine.progress.ended == nil else { return }
        append(.keep(facts, continuation(machine))) { outcome in
            outcome == .stale ? .leaseLost : event()
        }
    }

    /// Answers a BYE once a successor would find that the call is over: without an answer the BYE comes again, and the successor
    /// hears it. A store that is away holds up nobody who wants to go.
    func confirm(_ bye: SIPTransactionID) {
        let before = storing
        let calls = calls
        storing = Task {
            _ = await OneShot.race(Task { await before?.value }, limit: CallActor.longestConfirmation)
            calls.respond(to: bye, SIPResponse(200))
            await before?.value
        }
    }

    private func append(_ write: CallWrite, event: @escaping @Sendable (CallJournal.Outcome) -> Event?) {
        let before = storing
        storing = Task {
            await before?.value
            let outcome = await services.journal.append(write, under: lease)
            if let event = event(outcome) { send(event) }
        }
    }

    private func continuation(_ machine: CallStateMachine) -> CallContinuation {
        CallContinuation(
            machine: machine, dialog: session.dialog, legs: session.legs, maxForwards: maxForwards,
            callerDescription: session.callerDescription, offerToCallee: session.offerToCallee,
            calleeDescription: session.calleeDescription, answerToCaller: session.answerToCaller,
            voicemailID: session.voicemailID, isAnswered: machine.isAnswered, timers: session.timers,
            relay: services.relay.home(of: id), isMoving: session.isMoving,
            isRecording: session.isRecording)
    }
}

extension CallStateMachine {
    /// The caller's ACK came: nothing of its INVITE is open.
    package var isAcknowledged: Bool {
        switch phase {
        case .connected(acknowledged: true), .talking(_, acknowledged: true): true
        default: false
        }
    }

    /// The caller's INVITE got its 200, or is about to.
    package var isAnswered: Bool {
        switch phase {
        case .savingDialog, .connected, .savingAnswer, .talking, .hangingUp: true
        default: false
        }
    }
}
