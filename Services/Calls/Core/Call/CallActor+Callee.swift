import Domain
import Observability
import RPC
import SIP
import Wire

// Who is called, and whether the call may be taken at all.
extension CallActor {
    /// How long a number behind a trunk may ring.
    private static let trunkRingTime: Duration = .seconds(180)

    /// The directory is asked while the relay is; the answers are the machine's first event.
    package func start() async {
        if let reason = await refusalByUs() { return send(.refused(reason)) }
        var request = DirectoryV1.RouteCallRequest()
        request.dialled = invite.dialled
        request.sourceHost = invite.source.host
        request.sourcePort = UInt32(invite.source.port)
        request.sourceTransport = invite.source.transport == .tcp ? .tcp : .udp
        request.fromUser = invite.fromUser
        request.claimedNumber = invite.claimedNumber
        do {
            routed(try await services.directory.routeCall(request))
        } catch {
            services.logger.warning(
                "directory cannot be asked", [.call: .id(id.description), .status: .slug(error.code.slug)])
            send(.refused(.overCapacity))
        }
    }

    private func refusalByUs() async -> TerminationReason? {
        if isDraining() { return .overCapacity }
        if await services.journal.isFull { return .overCapacity }
        return await services.relay.isReady() ? nil : .relayFailed
    }

    private func routed(_ response: DirectoryV1.RouteCallResponse) {
        switch response.result {
        case .user, .trunk:
            facts = CallFacts(id: id, invite: invite, route: response, region: services.region)
            guard facts != nil else { return send(.refused(.serverError)) }
            send(.calleeFound(response.result == .user ? phones(response) : trunks(response)))
        case .unknown: send(.refused(.numberUnknown))
        case .invalid: send(.refused(.numberInvalid))
        case .emergency: send(.refused(.emergencyNotRouted))
        case .callerIDNotOwned: send(.refused(.callerIdNotOwned))
        case .notAllowed: send(.refused(.notAllowed))
        default: send(.refused(.serverError))
        }
    }

    private func phones(_ response: DirectoryV1.RouteCallResponse) -> CallStateMachine.RingPlan {
        // A call that has gone through too many hands is in a circle: it only rings out.
        let contacts = maxForwards > 1 ? response.contacts : []
        session.legs = contacts.compactMap { LegTarget($0).map(CallLeg.init) }
        return CallStateMachine.RingPlan(
            ringTime: .seconds(response.callee?.ringTimeSeconds ?? 0),
            declines: response.callee?.ringPolicy == .decline, legs: session.legs.count)
    }

    private func trunks(_ response: DirectoryV1.RouteCallResponse) -> CallStateMachine.RingPlan {
        let trunks = maxForwards > 1 ? response.trunks : []
        session.legs = trunks.map { CallLeg(LegTarget($0, number: response.phoneNumber)) }
        for (index, trunk) in trunks.enumerated() { session.credentials[index] = SIPCredentials(trunk) }
        return CallStateMachine.RingPlan(
            ringTime: CallActor.trunkRingTime, declines: false, legs: session.legs.count, isThroughTrunk: true)
    }

    /// Devices other than SIP phones cannot be called yet: however many there are, the call rings out.
    func findDevices() {
        guard let user = facts?.callee.user else { return send(.devicesKnown(count: 0)) }
        var request = NotificationsV1.ListDevicesRequest()
        request.userID = user.userID
        Task {
            let devices = try? await services.notifications.listDevices(
                request, options: CallOptions(deadline: .seconds(1)))
            send(.devicesKnown(count: devices?.devices.count ?? 0))
        }
    }
}
