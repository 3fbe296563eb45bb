import Domain

extension CallSession {
    /// Descriptions, as one side of the call sees them.
    struct Media {
        var own: String?
        /// What the relay makes of it for the other side.
        var toPeer: String?
        var peers: String?
        var toOwn: String?
    }

    func media(of side: CallSide) -> Media {
        side == .caller
            ? Media(own: callerDescription, toPeer: offerToCallee, peers: calleeDescription, toOwn: answerToCaller)
            : Media(own: calleeDescription, toPeer: answerToCaller, peers: callerDescription, toOwn: offerToCallee)
    }

    mutating func set(_ media: Media, of side: CallSide) {
        if side == .caller {
            (callerDescription, offerToCallee) = (media.own, media.toPeer)
            (calleeDescription, answerToCaller) = (media.peers, media.toOwn)
        } else {
            (calleeDescription, answerToCaller) = (media.own, media.toPeer)
            (callerDescription, offerToCallee) = (media.peers, media.toOwn)
        }
    }

    /// What the caller's INVITE said, or what stands for it until the ACK.
    mutating func describeCaller(_ description: String?) {
        callerDescription = description
        if DelayedOffer.isStandIn(description) { awaitsAnswerInAcknowledgement.insert(.caller) }
    }

    /// The description that a side had from us last.
    func told(to side: CallSide) -> String? { media(of: side).toOwn }
}
