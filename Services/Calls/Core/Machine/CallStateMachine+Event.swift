package import Domain

extension CallStateMachine {
    /// What the directory knows about ringing the callee.
    package struct RingPlan: Hashable, Sendable {
        package let ringTime: Duration
        /// The user's policy declines every call.
        package let declines: Bool

        package init(ringTime: Duration, declines: Bool) {
            self.ringTime = ringTime
            self.declines = declines
        }
    }

    /// What came of a stored step.
    package enum StoreResult: Hashable, Sendable {
        /// Committed.
        case durable
        /// The store cannot be reached; the step waits in the queue and will be written.
        case deferred
        /// Not written, and not waiting either. Only the first step of a call can fail so.
        case failed
    }

    package enum Event: Hashable, Sendable {
        /// The directory, or the instance itself, will not have the call.
        case refused(TerminationReason)
        case calleeFound(RingPlan)
        case stored(version: UInt64, StoreResult)
        /// The devices to ring are known; a directory of devices that cannot be reached counts as none.
        case devicesKnown(count: Int)
        case ringTimeOver
        /// A CANCEL came in time: the stack answered the INVITE with 487.
        case callerCancelled
        /// BYE, also in an early dialog, where the stack answered the INVITE with 487.
        case callerHungUp
        /// # by INFO while the message is recorded.
        case endKeyPressed
        case callerAcknowledged
        /// The 200 was repeated for 64*T1 without an ACK (RFC 3261, section 13.3.1.4).
        case acknowledgementMissing
        case relayOffered
        case relayAnswered
        /// The relay refused, did not answer, or lost the session.
        case relayFailed
        case voicemailAnswered
        /// The message is stored or discarded.
        case voicemailEnded
        /// No voicemail instance took the call, or the one that did is gone.
        case voicemailLost
        /// The dialog and the legs are stored, or wait to be.
        case dialogSaved
        case operatorHungUp
        case shutdown
        /// Another instance owns the call's slot now.
        case leaseLost
    }
}
