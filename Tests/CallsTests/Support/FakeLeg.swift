import CallsCore
import Domain
import SIP

extension SIPTransactionID {
    /// A BYE of one of the sides.
    static let bye = SIPTransactionID(value: 900_001)
    /// Our BYE to the caller.
    static let ours = SIPTransactionID(value: 900_002)
}

/// A caller that remembers what it was told.
final class FakeLeg: CallerLeg {
    enum Told: Equatable {
        case ringing
        case progress(String)
        case rejected(Int, [String])
        case answered(String)
        case bye(String?)
        case responded(Int)
    }

    let told = Recorder<Told>()
    let dialog = DialogState(
        id: DialogID(callID: "call@test", localTag: "ours", remoteTag: "theirs"),
        local: SIPAddress(uri: SIPURI(user: "15550100", host: "127.0.0.1")),
        remote: SIPAddress(uri: SIPURI(user: "15550199", host: "127.0.0.1")),
        remoteTarget: SIPURI(user: "caller", host: "127.0.0.1", port: 5999),
        localTarget: SIPURI(host: "127.0.0.1", port: 5060), transport: .udp)

    func ring() { told.append(.ringing) }
    func progress(_ sdp: String) { told.append(.progress(sdp)) }
    func reject(_ refusal: SIPRefusal) { told.append(.rejected(refusal.status, refusal.headers.map(\.name))) }
    func answer(_ sdp: String) { told.append(.answered(sdp)) }
    func bye(reason: SIPHeader?) -> SIPTransactionID {
        told.append(.bye(reason?.value))
        return .ours
    }
    func respond(to request: SIPTransactionID, _ response: SIPResponse) { told.append(.responded(response.status)) }
}
