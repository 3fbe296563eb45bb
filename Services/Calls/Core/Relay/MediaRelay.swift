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
    /// Both sides are joined already: an offer goes to that side, not to a new one.
    package let isEstablished: Bool

    package init(call: BellwireID, callerTag: String, calleeTag: String, isEstablished: Bool = false) {
        self.call = call
        self.callerTag = callerTag
        self.calleeTag = calleeTag
        self.isEstablished = isEstablished
    }

    package var established: RelaySession {
        RelaySession(call: call, callerTag: callerTag, calleeTag: calleeTag, isEstablished: true)
    }

    /// For an offer of the answering side.
    package var reversed: RelaySession {
        RelaySession(call: call, callerTag: calleeTag, calleeTag: callerTag, isEstablished: isEstablished)
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

    /// How many RTP packets came from both sides of a session so far; nil when the relay does not know it any more.
    func packets(of call: BellwireID) async throws(RelayError) -> UInt64?

    /// Names the relay that carries a call, where there are several; nil before the first description of the call.
    func home(of call: BellwireID) -> String?

    /// A call that another process had carried there.
    func adopt(_ call: BellwireID, at home: String)

    /// Chooses another relay, which answers, for a call whose own is gone; false when there is none.
    func move(_ call: BellwireID) async -> Bool

    /// Nothing will be asked about the call any more.
    func release(_ call: BellwireID)

    /// The calls it holds sessions for, as far as their ids are ours.
    func sessions() async throws(RelayError) -> [BellwireID]
}

/// A relay that is the only one.
extension MediaRelay {
    package func home(of call: BellwireID) -> String? { nil }
    package func adopt(_ call: BellwireID, at home: String) {}
    package func move(_ call: BellwireID) async -> Bool { false }
    package func release(_ call: BellwireID) {}
}
