package import Domain

extension CallStateMachine {
    /// What the directory knows about ringing the callee.
    package struct RingPlan: Hashable, Sendable, Codable {
        package let ringTime: Duration
        /// The user's policy declines every call.
        package let declines: Bool
        /// How many phones, or ways to the telephone network, can be called.
        package let legs: Int
        /// Through trunks: one after the other, with what the far side has to say before it answers, and no voicemail.
        package let isThroughTrunk: Bool

        package init(ringTime: Duration, declines: Bool, legs: Int = 0, isThroughTrunk: Bool = false) {
            self.ringTime = ringTime
            self.declines = declines
            self.legs = legs
            self.isThroughTrunk = isThroughTrunk
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
        /// The relay lost the session, and another one will carry the call.
        case relayLost
        case voicemailAnswered
        /// The message is stored or discarded.
        case voicemailEnded
        /// No voicemail instance took the call, or the one that did is gone.
        case voicemailLost
        /// The dialog and the legs are stored, or wait to be.
        case dialogSaved
        /// What a successor needs to go on with these legs is stored, or waits to be.
        case legsStored([Int])
        /// 180 or 183.
        case legRang(Int)
        /// A description came before the answer.
        case legDescribed(Int)
        /// The relay has joined what is heard before the answer.
        case earlyMediaReady
        case legAnswered(Int)
        case legFailed(Int, TerminationReason)
        /// BYE from the side that answered.
        case calleeHungUp
        /// A request to one side stayed without an answer, or the side does not know the call any more.
        case signallingLost(CallSide)
        /// Nobody refreshed the session (RFC 4028).
        case sessionExpired
        /// No packet came from either side for too long.
        case mediaStopped
        case operatorHungUp
        case shutdown
        /// Another instance owns the call's slot now.
        case leaseLost
    }
}
