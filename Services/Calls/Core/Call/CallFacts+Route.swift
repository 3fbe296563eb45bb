import Domain
import Numbering
import SIP
import Wire

extension CallFacts {
    /// The parties as the directory names them; nil when its answer names no callee.
    ///
    /// - Parameter region: where the number of a caller from outside is read when the callee's account does not say.
    init?(
        id: BellwireID, invite: CallInvite, route: DirectoryV1.RouteCallResponse, region: Region?
    ) {
        let callee: CalleeParty
        switch route.result {
        case .user:
            guard let found = route.callee else { return nil }
            callee = CalleeParty(found)
        case .trunk: callee = CalleeParty(user: nil, number: route.phoneNumber)
        default: return nil
        }
        let caller: CallerParty
        if let user = route.caller {
            caller = CallerParty(user, of: invite.caller, shown: route.trunks.first?.callerNumber)
        } else {
            let plan = NumberingPlan(region: Region(route.callee?.region ?? "") ?? region)
            caller = CallerParty(invite.caller, plan: plan)
        }
        self.init(id: id, caller: caller, callee: callee)
    }
}

extension CalleeParty {
    init(_ callee: DirectoryV1.Callee) {
        self.init(
            user: LocalParty(
                accountID: callee.accountID, userID: callee.userID, identity: callee.identity,
                personaID: callee.personaID, phoneNumberID: callee.phoneNumberID),
            number: callee.phoneNumber.isEmpty ? "client:\(callee.identity)" : callee.phoneNumber,
            minimumMessageSeconds: callee.minimumMessageSeconds)
    }
}

extension CallerParty {
    /// - Parameter shown: the number that a trunk shows; nil between users, who know each other by name.
    init(_ caller: DirectoryV1.LocalCaller, of identity: CallerIdentity, shown: String?) {
        self.init(
            number: shown ?? "client:\(caller.identity)", isWithheld: identity.isWithheld,
            displayName: identity.isWithheld ? nil : identity.presented?.displayName.map { String($0.prefix(128)) },
            user: LocalParty(
                accountID: caller.accountID, userID: caller.userID, identity: caller.identity,
                personaID: caller.personaID,
                phoneNumberID: shown == caller.phoneNumber ? caller.phoneNumberID : ""))
    }
}
