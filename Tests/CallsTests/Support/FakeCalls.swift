import CallsCore
import SIP
import Synchronization

/// A SIP endpoint that remembers what calls asked of it. A test answers by giving the call its signals.
final class FakeCalls: SIPCalls {
    enum Told: Equatable {
        case invited(String)
        case cancelled(String, reason: String?)
        case acknowledged(String)
        case sent(String, in: String, reason: String?)
        case responded(Int)
        case adopted(String)
        case resumed(String)
        case authorized(String, in: String?)
    }

    let told = Recorder<Told>()
    let prepared = Recorder<InviteState>()
    /// To make transaction ids and INVITEs; it is never started.
    private let endpoint: SIPEndpoint
    private let sent = Mutex<[SIPTransactionID]>([])

    init(_ endpoint: SIPEndpoint) { self.endpoint = endpoint }

    var transactions: [SIPTransactionID] { sent.withLock { $0 } }

    func prepare(_ invite: OutgoingInvite) -> InviteState {
        let state = endpoint.prepare(invite)
        prepared.append(state)
        return state
    }

    func invite(_ state: InviteState, credentials: SIPCredentials?) {
        told.append(.invited(state.target.text + (credentials.map { " as \($0.user)" } ?? "")))
    }

    func cancel(_ invite: InviteID, reason: SIPHeader?) {
        let state = prepared.entries.first { $0.id == invite }
        told.append(.cancelled(state?.target.text ?? "unknown", reason: reason?.value))
    }

    func acknowledge(_ dialog: DialogID, body: SIPBody?) { told.append(.acknowledged(dialog.remoteTag)) }

    func send(_ request: OutgoingRequest, in dialog: DialogID) -> SIPTransactionID {
        let id = endpoint.send(request, in: dialog)
        sent.withLock { $0.append(id) }
        let reason = request.headers.first { $0.name == "Reason" }?.value
        told.append(.sent(request.method.rawValue, in: dialog.remoteTag, reason: reason))
        return id
    }

    func respond(to transaction: SIPTransactionID, _ response: SIPResponse) { told.append(.responded(response.status)) }
    func setCredentials(_ credentials: SIPCredentials, of invite: InviteID, in dialog: DialogID?) {
        told.append(.authorized(credentials.user, in: dialog?.remoteTag))
    }
    func adopt(_ dialog: DialogState, credentials: SIPCredentials?) { told.append(.adopted(dialog.id.remoteTag)) }
    func resume(_ invite: InviteState, credentials: SIPCredentials?) { told.append(.resumed(invite.target.text)) }
}
