package import Bus
import Domain
package import SIP

/// Brings a call back that another process carried.
package protocol CallRevival: Sendable {
    /// The call goes on here; nil when too little is known of it. Nothing is said to anybody before `CallActor.resume()`.
    func revive(_ call: StoredCall, under lease: SlotLease) async -> CallActor?
}

/// On our SIP endpoint, which need not be started yet: what is adopted before is there when the first message comes.
package struct SIPRevival: CallRevival {
    private let endpoint: SIPEndpoint
    private let gateway: CallGateway
    private let registry: CallRegistry
    private let services: CallServices

    package init(endpoint: SIPEndpoint, gateway: CallGateway, registry: CallRegistry, services: CallServices) {
        self.endpoint = endpoint
        self.gateway = gateway
        self.registry = registry
        self.services = services
    }

    package func revive(_ call: StoredCall, under lease: SlotLease) async -> CallActor? {
        guard let continuation = call.continuation, let invite = call.invite else { return nil }
        let id = call.facts.id
        let caller = adoptCaller(continuation, invite)
        let actor = await CallActor(
            reviving: call, from: continuation, lease: lease,
            leg: SIPCallerLeg(caller, of: continuation.dialog, on: endpoint),
            calls: endpoint, invite: CallInvite(continuation, rawMessage: invite), services: services,
            routes: { [registry] in registry.add($0, to: id) }, whenOver: { [registry] in registry.remove(id) })
        gateway.register(actor, transaction: caller, dialog: continuation.dialog.id)
        for (index, leg) in continuation.legs.enumerated() { adopt(leg, index, continuation, of: id) }
        return actor
    }

    /// An INVITE that may still wait for its answer, or for the repetition of it, is gone on with; else the dialog alone is.
    private func adoptCaller(_ continuation: CallContinuation, _ invite: [UInt8]) -> SIPTransactionID? {
        guard continuation.machine.isAcknowledged else {
            return endpoint.resume(storedInvite: invite, of: continuation.dialog)
        }
        endpoint.adopt(continuation.dialog.restored())
        return nil
    }

    private func adopt(_ leg: CallLeg, _ index: Int, _ continuation: CallContinuation, of id: BellwireID) {
        let fork = continuation.machine.fork
        if fork.winner == index, continuation.isAnswered, let dialog = leg.dialog {
            endpoint.adopt(dialog.restored())
            registry.add(.dialog(dialog.id), to: id)
        } else if let invite = leg.invite, fork.open.contains(index) || fork.winner == index {
            registry.add(.invite(invite.id), to: id)
            // The others' INVITEs are sent again.
            if !fork.unheard.contains(index) { endpoint.resume(invite) }
        }
    }
}

extension CallInvite {
    /// What is left of it in another process: the caller is known from the call's facts.
    fileprivate init(_ continuation: CallContinuation, rawMessage: [UInt8]) {
        self.init(
            dialled: "", caller: CallerIdentity(presented: nil, asserted: [], isWithheld: true),
            audio: continuation.callerDescription.map { .usable($0) } ?? .absent, rawMessage: rawMessage,
            maxForwards: continuation.maxForwards)
    }
}
