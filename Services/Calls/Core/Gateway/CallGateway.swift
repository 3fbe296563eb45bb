import Bus
import Domain
package import SIP
import Synchronization

/// Between the SIP endpoint and the calls: opens a call for an INVITE, hands everything else to the call it belongs to.
package final class CallGateway: SIPHandler {
    private static let bufferedEvents = 128

    private let registry: CallRegistry
    private let services: CallServices
    private let maximumCalls: Int
    private let isDraining = Atomic<Bool>(false)

    /// - Parameter maximumCalls: more are refused with 503.
    package init(registry: CallRegistry, services: CallServices, maximumCalls: Int = 10_000) {
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
            deliver(.cancelled, to: dialog) { $0.transaction == transaction }
        case .acknowledged(_, let dialog, let body): deliver(.acknowledged(body), to: dialog)
        case .ended(let request): deliver(.hungUp, to: request.dialog.id)
        case .failed(let transaction, let dialog, _):
            deliver(.notAcknowledged, to: dialog) { $0.transaction == transaction }
        case .request(let request):
            if !deliver(.request(request), to: request.dialog.id) {
                endpoint.respond(to: request.transaction, SIPResponse(481))
            }
        case .response: break
        }
    }

    /// False when nobody takes it.
    @discardableResult
    private func deliver(
        _ event: CallerEvent, to dialog: DialogID, where isMeant: (CallRegistry.Entry) -> Bool = { _ in true }
    ) -> Bool {
        guard let entry = registry.entry(dialog), isMeant(entry) else { return false }
        if case .dropped = entry.events.yield(event) {
            services.meters.refused("backlog")
            // A flood of requests must not hide the end of the call.
            if case .hungUp = event { Task { await entry.call.receive(event) } }
            return false
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
        case .usable, .noCommonCodec, .absent: break
        }
        guard registry.count < maximumCalls, let lease = services.ownership.anyLease() else {
            services.meters.refused(TerminationReason.overCapacity.rawValue)
            return leg.reject(SIPRefusal(status: 503, audio: call.audio, agent: invite.dialog.localTarget.host))
        }
        let id = BellwireID.make(slot: lease.slot)
        let (stream, events) = AsyncStream.makeStream(
            of: CallerEvent.self, bufferingPolicy: .bufferingOldest(CallGateway.bufferedEvents))
        let actor = CallActor(
            id: id, lease: lease, leg: leg, invite: call, services: services,
            isDraining: { [weak self] in self?.isDraining.load(ordering: .acquiring) ?? true },
            whenOver: { [registry] in registry.remove(id) })
        registry.add(
            CallRegistry.Entry(
                call: actor, transaction: invite.transaction, dialog: invite.dialog.id, events: events))
        Task { await actor.start() }
        Task { for await event in stream { await actor.receive(event) } }
    }
}
