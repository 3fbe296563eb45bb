package import Bus
import Domain
import Observability
import SIP

extension CallActor {
    /// A call that another process carried, at the step that was stored last. It does nothing before `resume()`.
    package init(
        reviving call: StoredCall, from continuation: CallContinuation, lease: SlotLease, leg: any CallerLeg,
        calls: any SIPCalls, invite: CallInvite, services: CallServices,
        routes: @escaping @Sendable (Route) -> Void, whenOver: @escaping @Sendable () async -> Void
    ) async {
        self.init(
            id: call.facts.id, lease: lease, leg: leg, calls: calls, invite: invite, services: services,
            routes: routes, whenOver: whenOver)
        facts = call.facts
        machine = continuation.machine
        // The row has the word about how far the call got.
        machine.progress = call.progress
        machine.takeOver()
        session.dialog = continuation.dialog
        session.legs = continuation.legs
        session.describeCaller(continuation.callerDescription)
        session.offerToCallee = continuation.offerToCallee
        session.calleeDescription = continuation.calleeDescription
        session.answerToCaller = continuation.answerToCaller
        if let home = continuation.relay { services.relay.adopt(id, at: home) }
        session.isRecording = continuation.isRecording ?? false
        session.isMoving = continuation.isMoving ?? false
        session.timers = continuation.timers ?? [:]
        if machine.isOffered {
            session.hasRelaySession = true
            services.meters.relaySessions.add(1)
        }
    }

    /// Goes on.
    package func resume() async {
        await authorizeLegs()
        resumeTimers()
        carryOut(machine.resume(now: services.now()))
        guard session.isMoving else { return }
        if case .talking = machine.phase { carryOut([.moveToAnotherRelay]) } else { session.isMoving = false }
    }
}
