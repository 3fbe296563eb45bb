package import Bus
package import Domain
import Observability
import SIP
package import Wire

/// One call: its state machine, and what that asks to be done, in order.
package actor CallActor {
    typealias Event = CallStateMachine.Event
    typealias Action = CallStateMachine.Action

    package nonisolated let id: BellwireID
    package nonisolated let lease: SlotLease
    let leg: any CallerLeg
    let invite: CallInvite
    let services: CallServices
    let isDraining: @Sendable () -> Bool
    var machine: CallStateMachine
    var facts: CallFacts?
    var session: CallSession
    private let whenOver: @Sendable () async -> Void
    private var pending: [Action] = []
    private var leaseWait: Task<Void, Never>?
    private var ringTimer: Task<Void, Never>?
    private var storing: Task<Void, Never>?

    /// - Parameters:
    ///   - isDraining: new calls are refused.
    ///   - whenOver: told once, when nothing of the call is left here.
    package init(
        id: BellwireID, lease: SlotLease, leg: any CallerLeg, invite: CallInvite, services: CallServices,
        isDraining: @escaping @Sendable () -> Bool = { false }, whenOver: @escaping @Sendable () async -> Void = {}
    ) {
        self.id = id
        self.lease = lease
        self.leg = leg
        self.invite = invite
        self.services = services
        self.isDraining = isDraining
        self.whenOver = whenOver
        machine = CallStateMachine(hasCommonCodec: invite.audio.sdp != nil, now: services.now())
        session = CallSession(call: id, dialog: leg.dialog)
        services.meters.active.add(1)
    }

    /// What may be told of the call; nil while the callee is not known.
    package var snapshot: CallsV1.Call? {
        facts.map { CallsV1.Call($0, machine.progress, instance: services.instance) }
    }

    package func operatorHungUp() { send(.operatorHungUp) }
    package func shutDown() { send(.shutdown) }
    package func leaseLost() { send(.leaseLost) }
    package func relayLost() { if session.hasRelaySession { send(.relayFailed) } }
    package var usesRelay: Bool { session.hasRelaySession }
    /// The caller was, or is about to be, answered: the relay knows the call.
    package var hasAnswered: Bool { session.answerToCaller != nil }

    func send(_ event: Event) {
        let wasOver = machine.isEnded
        let actions = machine.handle(event, now: services.now())
        if event == .leaseLost, !wasOver {
            // What was held back must not be done any more.
            pending = []
            leaseWait?.cancel()
        }
        pending += actions
        carryOut()
    }

    /// What is said to others waits until it is sure that the slot is ours: this process may have been paused.
    private func carryOut() {
        while let action = pending.first {
            if action.isOutward, services.ownership.lease(slot: lease.slot) != lease {
                waitForLease()
                return
            }
            pending.removeFirst()
            perform(action)
        }
    }

    private func waitForLease() {
        guard leaseWait == nil else { return }
        leaseWait = Task {
            try? await Task.sleep(for: .milliseconds(100))
            leaseWait = nil
            carryOut()
        }
    }

    private func perform(_ action: Action) {
        switch action {
        case .store(let progress): store(progress)
        case .saveDialog: saveDialog()
        case .findDevices: findDevices()
        case .sendRinging: leg.ring()
        case .startRingTimer(let duration): startRingTimer(duration)
        case .cancelRingTimer: ringTimer?.cancel()
        case .reject(let status, let reason): reject(status, reason)
        case .offerToRelay: offerToRelay()
        case .answerToRelay: answerToRelay()
        case .deleteRelaySession: deleteRelaySession()
        case .takeCall: takeCall()
        case .leaveVoicemail: session.voicemail?.cancel()
        case .sendAnswer: if let sdp = session.answerToCaller { leg.answer(sdp) }
        case .sendBye(let reason): leg.bye(reason: .farewell(reason))
        case .finish: finish()
        }
    }

    private func reject(_ status: Int, _ reason: TerminationReason) {
        if machine.progress.version == 0 { services.meters.refused(reason.rawValue) }
        // Who cancelled has got the 487 from the stack.
        guard reason != .callerCancelled else { return }
        leg.reject(SIPRefusal(status: status, audio: invite.audio, agent: leg.dialog.localTarget.host))
    }

    private func startRingTimer(_ duration: Duration) {
        ringTimer = Task {
            do { try await Task.sleep(for: duration) } catch { return }
            send(.ringTimeOver)
        }
    }

    private func finish() {
        ringTimer?.cancel()
        let reason = machine.progress.termination?.reason ?? .serverRestarted
        services.meters.active.add(-1)
        services.meters.ended(reason)
        if session.hasRelaySession {
            // Given up with the slot: the next owner deletes it.
            session.hasRelaySession = false
            services.meters.relaySessions.add(-1)
        }
        services.logger.info(
            "call ended",
            [.call: .id(id.description), .termination: .slug(reason), .state: .slug(machine.progress.state)])
        let storing = storing
        let relaying = session.relaying
        Task {
            await storing?.value
            await relaying?.value
            await whenOver()
        }
    }
}

// MARK: - Storing

extension CallActor {
    /// One step after the other: the next is handed over once the one before is written or known to wait.
    private func store(_ progress: CallProgress) {
        guard let facts else { return }
        let write: CallWrite =
            if progress.version == 1 {
                .create(
                    facts,
                    CallOrigin(
                        invite: invite.rawMessage, dialog: leg.dialog, instance: services.instance,
                        relay: services.relayName), progress)
            } else {
                .advance(facts, progress, instance: services.instance)
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

    private func saveDialog() {
        guard let facts else { return }
        append(.dialog(facts, session.dialog, voicemailID: session.voicemailID)) { outcome in
            outcome == .stale ? .leaseLost : .dialogSaved
        }
    }

    private func append(_ write: CallWrite, event: @escaping @Sendable (CallJournal.Outcome) -> Event) {
        let before = storing
        storing = Task {
            await before?.value
            let outcome = await services.journal.append(write, under: lease)
            send(event(outcome))
        }
    }
}

extension CallStateMachine.Action {
    /// Whether somebody outside this process takes notice.
    fileprivate var isOutward: Bool {
        switch self {
        case .sendRinging, .reject, .sendAnswer, .sendBye, .offerToRelay, .answerToRelay, .deleteRelaySession,
            .takeCall:
            true
        case .store, .saveDialog, .findDevices, .startRingTimer, .cancelRingTimer, .leaveVoicemail, .finish: false
        }
    }
}
