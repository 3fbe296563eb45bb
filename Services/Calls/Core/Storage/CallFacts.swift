package import Domain

/// What is known of a call from its beginning and never changes.
package struct CallFacts: Hashable, Sendable {
    package let id: BellwireID
    package let caller: CallerParty
    package let callee: CalleeParty

    package init(id: BellwireID, caller: CallerParty, callee: CalleeParty) {
        self.id = id
        self.caller = caller
        self.callee = callee
    }

    /// The account whose call it is: the callee's, or that of the user who calls out.
    package var accountID: String { callee.user?.accountID ?? caller.user?.accountID ?? "" }

    /// The user whose events it is among.
    package var ownerID: String { callee.user?.userID ?? caller.user?.userID ?? "" }
}

/// A party that is a user of ours, as the directory knew them when the call came.
package struct LocalParty: Hashable, Sendable, Codable {
    package let accountID: String
    package let userID: String
    package let identity: String
    package let personaID: String
    /// Empty when no number plays a part.
    package let phoneNumberID: String

    package init(accountID: String, userID: String, identity: String, personaID: String, phoneNumberID: String) {
        self.accountID = accountID
        self.userID = userID
        self.identity = identity
        self.personaID = personaID
        self.phoneNumberID = phoneNumberID
    }
}

/// Who calls.
package struct CallerParty: Hashable, Sendable {
    /// E.164, the digits of a number that is in no plan, a SIP address or `client:<identity>`; nil when withheld.
    package let number: String?
    package let isWithheld: Bool
    package let displayName: String?
    /// Nil: somebody from outside.
    package let user: LocalParty?

    package init(number: String?, isWithheld: Bool, displayName: String?, user: LocalParty? = nil) {
        self.number = number
        self.isWithheld = isWithheld
        self.displayName = displayName
        self.user = user
    }
}

/// Who is called.
package struct CalleeParty: Hashable, Sendable {
    /// Nil: somebody behind a trunk.
    package let user: LocalParty?
    /// E.164 as it was dialled, or `client:<identity>`.
    package let number: String
    package let minimumMessageSeconds: UInt32

    package init(user: LocalParty?, number: String, minimumMessageSeconds: UInt32 = 0) {
        self.user = user
        self.number = number
        self.minimumMessageSeconds = minimumMessageSeconds
    }
}
