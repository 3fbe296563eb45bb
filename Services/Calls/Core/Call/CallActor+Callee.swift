import Domain
import Numbering
import Observability
import RPC
import Wire

// Who is called, and whether the call may be taken at all.
extension CallActor {
    /// The directory is asked while the relay is; the answers are the machine's first event.
    package func start() async {
        if let reason = await refusalByUs() { return send(.refused(reason)) }
        var request = DirectoryV1.LookUpNumberRequest()
        request.dialled = invite.dialled
        do {
            let response = try await services.directory.lookUpNumber(request)
            lookedUp(response)
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

    private func lookedUp(_ response: DirectoryV1.LookUpNumberResponse) {
        switch response.result {
        case .found:
            guard let callee = response.callee else { return send(.refused(.serverError)) }
            let plan = NumberingPlan(region: Region(callee.region) ?? services.region)
            facts = CallFacts(
                id: id, caller: CallerParty(invite.caller, plan: plan), callee: CalleeParty(callee))
            send(
                .calleeFound(
                    CallStateMachine.RingPlan(
                        ringTime: .seconds(callee.ringTimeSeconds), declines: callee.ringPolicy == .decline)))
        case .unknown: send(.refused(.numberUnknown))
        case .invalid: send(.refused(.numberInvalid))
        case .emergency: send(.refused(.emergencyNotRouted))
        default: send(.refused(.serverError))
        }
    }

    /// Devices cannot be called yet: however many there are, the call rings out.
    func findDevices() {
        guard let facts else { return }
        var request = NotificationsV1.ListDevicesRequest()
        request.userID = facts.callee.userID
        Task {
            let devices = try? await services.notifications.listDevices(
                request, options: CallOptions(deadline: .seconds(1)))
            send(.devicesKnown(count: devices?.devices.count ?? 0))
        }
    }
}

extension CalleeParty {
    fileprivate init(_ callee: DirectoryV1.Callee) {
        self.init(
            accountID: callee.accountID, userID: callee.userID, identity: callee.identity,
            personaID: callee.personaID, phoneNumberID: callee.phoneNumberID, number: callee.phoneNumber,
            minimumMessageSeconds: callee.minimumMessageSeconds)
    }
}
