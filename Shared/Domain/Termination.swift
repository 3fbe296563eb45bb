/// Why a call or a leg ended. Exactly one per call, one per leg.
public struct Termination: Sendable, Hashable, Codable {
    public let reason: TerminationReason
    public let side: CallSide

    public init(_ reason: TerminationReason, by side: CallSide) {
        self.reason = reason
        self.side = side
    }
}

/// The closed set of reasons. Its table (`TerminationReason+Table.swift`) is the only place that maps them to SIP, to
/// records and to the codes that clients see.
public enum TerminationReason: String, Sendable, CaseIterable, Codable {
    case callerHungUp
    case calleeHungUp
    case callerCancelled
    /// By the user. A single device's decline ends that leg only.
    case declined
    case busy
    /// The ring time is over.
    case noAnswer
    /// A leg's reason, never a call's.
    case answeredElsewhere
    case noDevice
    case trunkUnavailable
    case numberUnknown
    case numberInvalid
    case emergencyNotRouted
    case callerIdNotOwned
    case notAllowed
    case blocked
    case noCredit
    case creditUsedUp
    case overCapacity
    case noCommonCodec
    case mediaTimeout
    case signallingLost
    case sessionExpired
    case maximumDuration
    case relayFailed
    case serverError
    case serverRestarted
}

/// What the caller's SIP leg is told.
public enum SIPOutcome: Sendable, Hashable {
    /// A final response to the INVITE.
    case response(Int)
    /// The dialog is ended.
    case bye
    /// The INVITE is cancelled, with the status in a Reason header (RFC 3326).
    case cancel(reasonStatus: Int)
}

/// What a call that ended for a reason leaves in the local parties' records.
public enum RecordOutcome: Sendable, Hashable {
    case none
    case unanswered
    case completed
    /// `completed` if the call had been answered, else `unanswered`.
    case asFarAsItGot
}

/// End causes in the vocabulary of the Sinch client.
public enum EndCause: String, Sendable, CaseIterable, Codable {
    case none, timeout, denied, noAnswer, error, hungUp, canceled, otherDeviceAnswered, inactive
}
