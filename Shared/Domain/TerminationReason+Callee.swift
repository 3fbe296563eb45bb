extension TerminationReason {
    /// Why a called side did not take a call, from its final answer: the table read backwards.
    ///
    /// - Parameters:
    ///   - status: the final response to our INVITE, 300...699.
    ///   - isFromPeer: false when nobody answered and the status was made up here.
    ///   - isTrunk: the way to the telephone network; else the phone of a user.
    public init(calleeStatus status: Int, isFromPeer: Bool, isTrunk: Bool) {
        guard isFromPeer else {
            self = isTrunk ? .trunkUnavailable : .noDevice
            return
        }
        // Statuses without a row, by what they mean (RFC 3261, section 21).
        let status =
            switch status {
            case 600: 486
            case 607: 603
            case 408: 480
            case 410, 604: 404
            case 415, 606: 488
            default: status
            }
        let common: [TerminationReason] = [.busy, .declined, .noAnswer, .noCommonCodec]
        let beyond: [TerminationReason] = [.numberUnknown, .numberInvalid, .notAllowed, .noCredit]
        let known = common + (isTrunk ? beyond : [])
        self = known.first { $0.sip == .response(status) } ?? (isTrunk ? .trunkUnavailable : .noDevice)
    }
}
