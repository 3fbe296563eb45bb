/// Session timers in INVITE and UPDATE (RFC 4028 sections 7 to 9).
package struct SessionNegotiation: Hashable, Sendable {
    /// What a 2xx agrees on; nil: no timer.
    package var agreement: SessionAgreement?
    /// Headers of the 2xx.
    package var headers: [SIPHeader]

    package enum Outcome: Hashable, Sendable {
        case accepted(SessionNegotiation)
        /// Too short: 422 with these headers.
        case tooShort([SIPHeader])
        /// Session-Expires or Min-SE is malformed.
        case malformed
    }

    /// Looks at a request as its receiver.
    package static func answer(_ request: ReceivedRequest, _ policy: SessionTimerPolicy) -> Outcome {
        let isSupported = (request.supported + request.require).contains { $0.lowercased() == "timer" }
        var lowest = policy.minimum
        if let text = request.minSE {
            guard let minimum = SessionExpires.minimum(text) else { return .malformed }
            lowest = max(lowest, minimum)
        }
        guard let text = request.sessionExpires else {
            guard isSupported else { return .accepted(SessionNegotiation(agreement: nil, headers: [.supportedTimer])) }
            return .accepted(SessionNegotiation(max(policy.interval, lowest), refresher: .uac))
        }
        guard let wanted = SessionExpires(text) else { return .malformed }
        if wanted.interval < policy.minimum, isSupported {
            return .tooShort([SIPHeader("Min-SE", String(policy.minimum))])
        }
        // A proxy may have asked for a sender that knows nothing of timers: then we refresh.
        let refresher = isSupported ? wanted.refresher ?? .uac : .uas
        let interval = min(wanted.interval, max(lowest, min(wanted.interval, policy.interval)))
        return .accepted(SessionNegotiation(interval, refresher: refresher))
    }

    /// What a 2xx to a request of ours says.
    package static func agreement(in response: ReceivedRequest) -> SessionAgreement? {
        guard let session = response.sessionExpires.flatMap({ SessionExpires($0) }), session.interval > 0 else {
            return nil
        }
        return SessionAgreement(interval: session.interval, isRefreshedByUs: session.refresher != .uas)
    }

    /// What a 2xx says when another process agreed on it, or agreed on no timer.
    package init(restoring agreement: SessionAgreement?) {
        if let agreement {
            self.init(agreement.interval, refresher: agreement.isRefreshedByUs ? .uas : .uac)
        } else {
            self.init(agreement: nil, headers: [.supportedTimer])
        }
    }

    private init(_ interval: UInt32, refresher: SessionExpires.Refresher) {
        agreement = SessionAgreement(interval: interval, isRefreshedByUs: refresher == .uas)
        headers = [
            .supportedTimer,
            SIPHeader("Session-Expires", SessionExpires(interval: interval, refresher: refresher).text),
        ]
        if refresher == .uac { headers.append(SIPHeader("Require", "timer")) }
    }

    private init(agreement: SessionAgreement?, headers: [SIPHeader]) {
        self.agreement = agreement
        self.headers = headers
    }
}
