package import Bus
package import Domain
package import SIP

/// What is stored with the first step beside the facts.
package struct CallOrigin: Sendable {
    /// The INVITE as it came.
    package let invite: [UInt8]
    package let dialog: DialogState
    package let instance: String
    package let relay: String

    package init(invite: [UInt8], dialog: DialogState, instance: String, relay: String) {
        self.invite = invite
        self.dialog = dialog
        self.instance = instance
        self.relay = relay
    }
}

/// One thing to store about a call.
package enum CallWrite: Sendable {
    /// The first version, with everything that is known.
    case create(CallFacts, CallOrigin, CallProgress)
    /// The next version; nothing happens when it is there already, or when the call never came to be.
    case advance(CallFacts, CallProgress, instance: String)
    /// What a successor needs to end the dialog, before the 200 is sent. No version of its own: nobody outside sees it.
    case dialog(CallFacts, DialogState, voicemailID: BellwireID?)

    package var facts: CallFacts {
        switch self {
        case .create(let facts, _, _), .advance(let facts, _, _), .dialog(let facts, _, _): facts
        }
    }
}

/// Where calls are kept. Writing the same thing twice is the same as once: a write whose outcome is not known is repeated.
package protocol CallStorage: Sendable {
    /// In one transaction, fenced by the lease and published. Throws `StoreError`.
    func write(_ write: CallWrite, under lease: SlotLease) async throws
}
