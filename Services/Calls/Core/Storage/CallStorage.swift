package import Bus

/// What is stored with the first step beside the facts.
package struct CallOrigin: Sendable {
    /// The INVITE as it came.
    package let invite: [UInt8]
    package let continuation: CallContinuation
    package let instance: String
    package let relay: String

    package init(invite: [UInt8], continuation: CallContinuation, instance: String, relay: String) {
        self.invite = invite
        self.continuation = continuation
        self.instance = instance
        self.relay = relay
    }
}

/// One thing to store about a call.
package enum CallWrite: Sendable {
    /// The first version, with everything that is known.
    case create(CallFacts, CallOrigin, CallProgress)
    /// The next version; nothing happens when it is there already, or when the call never came to be.
    ///
    /// Without a continuation nobody can go on with the call: that of its last version.
    case advance(CallFacts, CallProgress, CallContinuation?, instance: String)
    /// What a successor needs to go on, where nothing changed that others see: no version of its own.
    case keep(CallFacts, CallContinuation)

    /// Others hear of it.
    var isPublished: Bool { if case .keep = self { false } else { true } }

    package var facts: CallFacts {
        switch self {
        case .create(let facts, _, _), .advance(let facts, _, _, _), .keep(let facts, _): facts
        }
    }
}

/// Where calls are kept. Writing the same thing twice is the same as once: a write whose outcome is not known is repeated.
package protocol CallStorage: Sendable {
    /// In one transaction, fenced by the lease and published: all of them or none. Throws `StoreError`.
    /// - Parameter writes: of different calls, of the lease's slot.
    func write(_ writes: [CallWrite], under lease: SlotLease) async throws
}

extension CallStorage {
    package func write(_ write: CallWrite, under lease: SlotLease) async throws {
        try await self.write([write], under: lease)
    }
}
