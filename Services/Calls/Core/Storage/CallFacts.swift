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
}

/// Who calls, from outside.
package struct CallerParty: Hashable, Sendable {
    /// E.164, the digits of a number that is in no plan, or a SIP address; nil when withheld.
    package let number: String?
    package let isWithheld: Bool
    package let displayName: String?

    package init(number: String?, isWithheld: Bool, displayName: String?) {
        self.number = number
        self.isWithheld = isWithheld
        self.displayName = displayName
    }
}

/// Who is called: a user of ours, as the directory knew them when the call came.
package struct CalleeParty: Hashable, Sendable {
    package let accountID: String
    package let userID: String
    package let identity: String
    package let personaID: String
    package let phoneNumberID: String
    package let number: String
    package let minimumMessageSeconds: UInt32

    package init(
        accountID: String, userID: String, identity: String, personaID: String, phoneNumberID: String,
        number: String, minimumMessageSeconds: UInt32
    ) {
        self.accountID = accountID
        self.userID = userID
        self.identity = identity
        self.personaID = personaID
        self.phoneNumberID = phoneNumberID
        self.number = number
        self.minimumMessageSeconds = minimumMessageSeconds
    }
}
