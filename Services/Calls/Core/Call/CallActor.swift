package import Bus
package import Domain
import Observability
package import SIP
package import Wire

/// One call: its state machine, and what that asks to be done, in order.
package actor CallActor {
    typealias Event = CallStateMachine.Event
    typealias Action = CallStateMachine.Action

    /// How events of the SIP endpoint find the call.
    package enum Route: Hashable, Sendable {
        case invite(InviteID)
        case dialog(DialogID)
    }

    package nonisolated let id: BellwireID
    package nonisolated let lease: SlotLease
    let leg: any CallerLeg
    let calls: any SIPCalls
    let invite: CallInvite
    let services: CallServices
    let isDraining: @Sendable () -> Bool
    let routes: @Sendable (Route) -> Void
    var machine: CallStateMachine
    var facts: CallFacts?
    var session: CallSession
    var maxForwards: Int { invite.maxForwards }
    var storing: Task<Void, Never>?
    private let whenOver: @Sendable () async -> Void
    private var pending: [(action: Action, machine: CallStateMachine)] = []
    private var leaseWait: Task<Void, Never>?
    private var ringTimer: Task<Void, Never>?
    /// Of the sides' sessions.
    var timer: Task<Void, Never>?

    /// - Parameters:
    ///   - calls: sets up and ends the legs that are called.
    ///   - isDraining: new calls are refused.
    ///   - routes: told what belongs to this call beside its first dialog.
    ///   - whenOver: told once, when nothing of the call is left here.
    package init(
        id: BellwireID, lease: SlotLease, leg: any CallerLeg, calls: any SIPCalls, invite: CallInvite,
        services: CallServices, isDraining: @escaping @Sendable () -> Bool = { false },
        routes: @escaping @Sendable (Route) -> Void = { _ in },
        whenOver: @escaping @Sendable () async -> Void = {}
    ) {
        self.id = id
        self.lease = lease
        self.leg = leg
        self.calls = calls
        self.invite = invite
        self.services = services
        self.isDraining = isDraining
        self.routes = routes
        self.whenOver = whenOver
        session = CallSession(call: id, dialog: leg.dialog)
        session.describeCaller(
            invite.audio == .absent ? DelayedOffer.standIn(host: leg.dialog.localTarget.host) : invite.audio.sdp)
        machine = CallStateMachine(hasCommonCodec: session.callerDescription != nil, now: services.now())
        services.meters.active.add(1)
    }

    /// What may be told of the call; nil while the callee is not known.
    package var snapshot: CallsV1.Call? {
        facts.map { CallsV1.Call($0, machine.progress, instance: services.instance) }
    }

    package func operatorHungUp() { send(.operatorHungUp) }
    package func shutDown() { send(.shutdown) }
    package func leaseLost() { send(.leaseLost) }
    /// What a successor could not go on with unharmed.
    package var needsThisProcess: Bool { machine.needsThisProcess }

    /// Returns once what was begun is done: stored, asked of the relay, or known to wait.
    package func settle() async {
        while true {
            let begun = (storing, session.relaying)
            await begun.0?.value
            await begun.1?.value
            if begun == (storing, session.relaying) { return }
        }
    }

    package var usesRelay: Bool { session.hasRelaySession }
    /// The caller was, or is about to be, answered: the relay knows the call.
    package var hasAnswered: Bool { session.answerToCaller != nil }

    package func receive(_ signal: CallSignal) async {
        switch signal {
        case .caller(let event): await receive(event)
        case .callee(let event): await receive(fromCallee: event)
        case .response(let response): receive(response)
        case .mark(let continuation): continuation.resume()
        }
    }

    func send(_ event: Event) {
        let actions = machine.handle(event, now: services.now())
        if event == .leaseLost {
            // What was held back must not be done any more; a call that had ended is only let go.
            pending.removeAll { $0.action != .finish }
            leaseWait?.cancel()
        }
        carryOut(actions)
    }

    /// What is said to others waits until it is sure that the slot is ours: this process may have been paused.
    func carryOut(_ actions: [Action] = []) {
        pending += actions.map { ($0, machine) }
        while let next = pending.first {
            if next.action.isOutward, services.ownership.lease(slot: lease.slot) != lease {
                waitForLease()
                return
            }
            pending.removeFirst()
            perform(next.action, next.machine)
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

    private func perform(_ action: Action, _ machine: CallStateMachine) {
        switch action {
        case .store(let progress): store(progress, machine)
        case .saveDialog: keep { .dialogSaved }
        case .keep: keep()
        case .findDevices: findDevices()
        case .sendRinging: leg.ring()
        case .startRingTimer(let duration): startRingTimer(duration)
        case .cancelRingTimer: ringTimer?.cancel()
        case .reject(let status, let reason): reject(status, reason)
        case .offerToRelay: offerToRelay()
        case .answerToRelay: answerToRelay()
        case .moveToAnotherRelay: move()
        case .moveCaller: moveCaller()
        case .deleteRelaySession: deleteRelaySession()
        case .takeCall: takeCall()
        case .retakeCall: retakeCall()
        case .leaveVoicemail: session.voicemail?.cancel()
        case .sendAnswer: answerCaller()
        case .sendBye(let reason): hangUpCaller(reason)
        case .prepareLegs(let legs): prepareLegs(legs)
        case .inviteLegs(let legs): inviteLegs(legs)
        case .cancelLegs(let legs, let reason): cancelLegs(legs, reason)
        case .joinEarly(let index): joinEarly(index)
        case .sendEarlyMedia: if let sdp = session.answerToCaller { leg.progress(sdp) }
        case .joinLeg(let index): join(index)
        case .acknowledgeLeg(let index): acknowledgeLeg(index)
        case .dismissLeg(let index, let reason), .hangUpLeg(let index, let reason?): hangUpLeg(index, reason)
        case .hangUpLeg(let index, nil): hangUpLeg(index, nil)
        case .finish: finish()
        }
    }

    private func reject(_ status: Int, _ reason: TerminationReason) {
        if machine.progress.version == 0 { services.meters.refused(reason.rawValue) }
        // Who cancelled has got the 487 from the stack.
        guard reason != .callerCancelled else { return }
        leg.reject(SIPRefusal(status: status, audio: invite.audio, agent: leg.dialog.localTarget.host))
    }

    private func answerCaller() {
        guard let sdp = session.answerToCaller else { return }
        leg.answer(sdp)
        agreed(session.dialog.session, with: .caller)
    }

    private func startRingTimer(_ duration: Duration) {
        ringTimer = Task {
            do { try await Task.sleep(for: duration) } catch { return }
            send(.ringTimeOver)
        }
    }

    private func finish() {
        ringTimer?.cancel()
        timer?.cancel()
        let reason = machine.progress.termination?.reason ?? .serverRestarted
        services.meters.active.add(-1)
        services.meters.ended(reason)
        for waiting in session.requests.values { waiting.resume(returning: nil) }
        session.requests = [:]
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
            services.relay.release(id)
            await whenOver()
        }
    }
}

extension CallStateMachine.Action {
    /// Whether somebody outside this process takes notice.
    fileprivate var isOutward: Bool {
        switch self {
        case .store, .saveDialog, .keep, .findDevices, .startRingTimer, .cancelRingTimer, .leaveVoicemail, .prepareLegs,
            .finish:
            false
        default: true
        }
    }
}
