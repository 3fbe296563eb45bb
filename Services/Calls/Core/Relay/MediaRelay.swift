package import Domain

/// What a relay could not do.
package enum RelayError: Error, Hashable, Sendable {
    /// No answer within the deadline.
    case unreachable
    /// The relay does not know the session, or never did.
    case unknownSession
    /// The relay understood and refused.
    case refused
    case stopped
}

/// Names what a relay holds for one call. The call's own id is used once only, so it serves as the session's.
package struct RelaySession: Hashable, Sendable {
    package let call: BellwireID
    /// Names the caller's side.
    package let callerTag: String
    /// Names the side that answers.
    package let calleeTag: String

    package init(call: BellwireID, callerTag: String, calleeTag: String) {
        self.call = call
        self.callerTag = callerTag
        self.calleeTag = calleeTag
    }
}

/// Carries a call's audio between its sides. Descriptions are SDP (RFC 8866).
package protocol MediaRelay: Sendable {
    /// Whether new calls can be carried: known from regular questions, or asked for now.
    func isReady() async -> Bool

    /// Takes the caller's description; returns the one for the answering side. The same session may be offered again.
    func offer(_ sdp: String, for session: RelaySession) async throws(RelayError) -> String

    /// Takes the answering side's description; returns the one for the caller.
    func answer(_ sdp: String, for session: RelaySession) async throws(RelayError) -> String

    /// Forgets the session. One that is not known is no error.
    func delete(_ call: BellwireID) async throws(RelayError)

    /// Whether the relay still knows the session.
    func holds(_ call: BellwireID) async throws(RelayError) -> Bool

    /// The calls it holds sessions for, as far as their ids are ours.
    func sessions() async throws(RelayError) -> [BellwireID]
}
