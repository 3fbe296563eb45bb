/// One row for each reason: everything else that speaks of how a call ended is derived from here.
extension TerminationReason {
    private struct Row {
        let sip: SIPOutcome
        let record: RecordOutcome?
        let clientCode: Int?
        let endCause: EndCause?

        init(_ sip: SIPOutcome, _ record: RecordOutcome?, _ clientCode: Int?, _ endCause: EndCause?) {
            self.sip = sip
            self.record = record
            self.clientCode = clientCode
            self.endCause = endCause
        }
    }

    private var row: Row {
        switch self {
        case .callerHungUp: Row(.bye, .completed, nil, .hungUp)
        case .calleeHungUp: Row(.bye, .completed, nil, .hungUp)
        case .callerCancelled: Row(.response(487), .unanswered, 31008, .canceled)
        case .declined: Row(.response(603), .unanswered, 31603, .denied)
        case .busy: Row(.response(486), .unanswered, 31486, .denied)
        case .noAnswer: Row(.response(480), .unanswered, 31480, .noAnswer)
        case .answeredElsewhere: Row(.cancel(reasonStatus: 200), nil, nil, .otherDeviceAnswered)
        case .noDevice: Row(.response(480), .unanswered, 31480, .error)
        case .trunkUnavailable: Row(.response(503), .unanswered, 31503, .error)
        case .numberUnknown: Row(.response(404), RecordOutcome.none, 31404, .error)
        case .numberInvalid: Row(.response(484), RecordOutcome.none, 13224, .error)
        case .emergencyNotRouted: Row(.response(403), RecordOutcome.none, 31403, .error)
        case .callerIdNotOwned: Row(.response(403), RecordOutcome.none, 13214, .error)
        case .notAllowed: Row(.response(403), RecordOutcome.none, 31403, .error)
        case .blocked: Row(.response(603), .unanswered, 31603, .denied)
        case .noCredit: Row(.response(402), RecordOutcome.none, 31403, .error)
        case .creditUsedUp: Row(.bye, .completed, 31403, .error)
        case .overCapacity: Row(.response(503), RecordOutcome.none, 31206, .error)
        case .noCommonCodec: Row(.response(488), .unanswered, 53404, .error)
        case .mediaTimeout: Row(.bye, .completed, 53405, .error)
        case .signallingLost: Row(.bye, .completed, 53001, .error)
        case .sessionExpired: Row(.bye, .completed, 31005, .timeout)
        case .maximumDuration: Row(.bye, .completed, nil, .timeout)
        case .relayFailed: Row(.response(503), .asFarAsItGot, 31009, .error)
        case .serverError: Row(.response(500), .asFarAsItGot, 31500, .error)
        case .serverRestarted: Row(.bye, .asFarAsItGot, 31005, .error)
        }
    }

    /// What the caller is told. A reason that ends an answered call is always a BYE, whatever the response here.
    public var sip: SIPOutcome { row.sip }

    /// The final response to a caller whose INVITE is still open; 500 for a reason that belongs to an answered call.
    public var sipStatus: Int {
        if case .response(let status) = row.sip { status } else { 500 }
    }

    /// Nil for a reason that only legs have.
    public var record: RecordOutcome? { row.record }

    /// The code a client sees; nil for an ordinary end.
    public var clientCode: Int? { row.clientCode }

    public var endCause: EndCause { row.endCause ?? .none }
}
