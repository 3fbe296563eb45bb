package import Bus
import Domain
package import SIP
import Synchronization

/// Between the SIP endpoint and the calls: opens a call for an INVITE, hands everything else to the call it belongs to.
package final class CallGateway: SIPHandler {
    private static let bufferedEvents = 128

    /// For new calls.
    private let lease: SlotLease
    private let registry: CallRegistry
    private let services: CallServices
    private let maximumCalls: Int
    private let isDraining = Atomic<Bool>(false)

    /// - Parameter maximumCalls: more are refused with 503.
    package init(lease: SlotLease, registry: CallRegistry, services: CallServices, maximumCalls: Int = 10_000) {
        self.lease = lease
        self.registry = registry
        self.services = services
        self.maximumCalls = maximumCalls
    }

    /// Refuses new calls from now on.
    package func drain() { isDraining.store(true, ordering: .releasing) }

    package func handle(_ event: SIPEvent, on endpoint: SIPEndpoint) {
        switch event {
        case .invite(let invite): open(invite, on: endpoint)
        case .cancelled(let transaction, let dialog, _):
            deliver(to: .dialog(dialog)) { $0.transaction == transaction ? .caller(.cancelled) : nil }
        case .acknowledged(_, let dialog, let body):
            deliver(to: .dialog(dialog)) {
                $0.dialog == dialog ? .caller(.acknowledged(body)) : .callee(.acknowledged(body))
            }
        case .ended(let request):
            let dialog = request.dialog.id
            let bye = request.transaction
            let isTaken = deliver(to: .dialog(dialog)) {
                $0.dialog == dialog ? .caller(.hungUp(bye)) : .callee(.hungUp(dialog, bye))
            }
            if !isTaken { endpoint.respond(to: bye, SIPResponse(200)) }
        case .failed(let transaction, let dialog, _): failed(transaction, dialog)
        case .request(let request):
            let dialog = request.dialog.id
            let isTaken = deliver(to: .dialog(dialog)) {
                $0.dialog == dialog ? .caller(.request(request)) : .callee(.request(request))
            }
            if !isTaken { endpoint.respond(to: request.transaction, SIPResponse(481)) }
        case .inviteResponse(let response): deliver(to: .invite(response.invite)) { _ in .callee(.answered(response)) }
        case .inviteChanged(let state): deliver(to: .invite(state.id)) { _ in .callee(.changed(state)) }
        case .response(let response) where response.method == .bye:
            services.farewells.answered(response.transaction, slot: lease.slot)
        case .response(let response): deliver(to: .dialog(response.dialog)) { _ in .response(response) }
        }
    }

    private func failed(_ transaction: SIPTransactionID, _ dialog: DialogID) {
        deliver(to: .dialog(dialog)) {
            guard $0.dialog == dialog else { return .callee(.notAcknowledged) }
            return $0.transaction == transaction ? .caller(.notAcknowledged) : nil
        }
    }

    /// False when nobody takes it.
    @discardableResult
    private func deliver(to route: CallActor.Route, _ signal: (CallRegistry.Entry) -> CallSignal?) -> Bool {
        guard let entry = registry.entry(route), let signal = signal(entry) else { return false }
        if case .dropped = entry.events.yield(signal) {
            services.meters.refused("backlog")
            // A flood of requests must not hide the end of the call.
            guard signal.endsCall else { return false }
            Task { await entry.call.receive(signal) }
        }
        return true
    }

    private func open(_ invite: IncomingInvite, on endpoint: SIPEndpoint) {
        let leg = SIPCallerLeg(invite, on: endpoint)
        let call = CallInvite(invite)
        switch call.audio {
        case .unsupportedType:
            services.meters.refused("unsupportedType")
            return leg.reject(SIPRefusal(415, headers: [SIPHeader("Accept", "application/sdp")]))
        case .malformed:
            services.meters.refused("malformed")
            return leg.reject(SIPRefusal(400))
        case .usable, .noCommonCodec, .foreignAddress, .multicast, .absent: break
        }
        guard registry.count < maximumCalls, services.ownership.lease(slot: lease.slot) == lease else {
            services.meters.refused(TerminationReason.overCapacity.rawValue)
            return leg.reject(SIPRefusal(status: 503, audio: call.audio, agent: invite.dialog.localTarget.host))
        }
        let id = BellwireID.make(slot: lease.slot)
        let actor = CallActor(
            id: id, lease: lease, leg: leg, calls: endpoint, invite: call, services: services,
            isDraining: { [weak self] in self?.isDraining.load(ordering: .acquiring) ?? true },
            routes: { [registry] in registry.add($0, to: id) }, whenOver: { [registry] in registry.remove(id) })
        register(actor, transaction: invite.transaction, dialog: invite.dialog.id)
        Task { await actor.start() }
    }

    /// From now on the call hears what its sides do.
    func register(_ actor: CallActor, transaction: SIPTransactionID?, dialog: DialogID) {
        let (stream, events) = AsyncStream.makeStream(
            of: CallSignal.self, bufferingPolicy: .bufferingOldest(CallGateway.bufferedEvents))
        registry.add(CallRegistry.Entry(call: actor, transaction: transaction, dialog: dialog, events: events))
        Task { for await signal in stream { await actor.receive(signal) } }
    }
}
