import Domain
import SIP

extension SIPRefusal {
    /// Seconds after which a refused caller may try again.
    private static let retryAfter = 2...8

    /// - Parameter agent: who warns: our host (RFC 3261, section 20.43).
    init(status: Int, audio: OfferedAudio, agent: String) {
        self.init(status)
        switch (status, audio) {
        case (503, _):
            headers.append(.retryAfter(seconds: Int.random(in: SIPRefusal.retryAfter)))
        case (488, _):
            headers.append(audio.warning(agent: agent))
        default: break
        }
    }
}

extension OfferedAudio {
    /// What was wrong with an offer that is answered 488 (RFC 3261, section 20.43).
    func warning(agent: String) -> SIPHeader {
        switch self {
        case .foreignAddress: .warning(code: 301, agent: agent, text: "Incompatible network address formats")
        case .multicast: .warning(code: 330, agent: agent, text: "Multicast not available")
        default: .warning(code: 305, agent: agent, text: "Incompatible media format")
        }
    }
}

extension SIPHeader {
    /// Why we hang up (RFC 3326). A message that has come to its end is a normal clearing.
    static func farewell(_ reason: TerminationReason?) -> SIPHeader {
        guard let reason else { return SIPHeader("Reason", "Q.850;cause=16;text=\"Normal call clearing\"") }
        let cause =
            switch reason.sip {
            case .response(let status): status
            default: reason == .signallingLost ? 408 : 503
            }
        return .reason(sip: cause, text: reason.rawValue)
    }
}
