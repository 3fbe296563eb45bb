import CallsCore
import Domain
import SIP

extension CallStage {
    /// A call in which the caller and a phone talk, with the phone's dialog.
    static func talking(
        allowsUpdate: Bool = false, session: SessionAgreement? = nil
    ) async -> (CallStage, CallActor, DialogState) {
        let stage = CallStage(.init(ringTimeSeconds: 3600, contacts: ["sip:alice@192.0.2.7:5060"]))
        let call = stage.call()
        await call.start()
        await stage.calls.told.wait { !$0.isEmpty }
        let state = stage.calls.prepared.entries[0]
        let dialog = DialogState(
            id: DialogID(callID: state.id.callID, localTag: state.id.localTag, remoteTag: "desk"), local: state.local,
            remote: state.remote, localCSeq: 1, remoteTarget: state.target, localTarget: state.localTarget,
            transport: .udp, isOpenedByUs: true, allowsUpdate: allowsUpdate, session: session)
        await call.receive(
            .callee(
                .answered(
                    InviteResponse(
                        invite: state.id, status: 200, remoteTag: "desk", dialog: dialog,
                        body: .sdp(SampleSDP.offer(port: 9000)), awaitsAcknowledgement: true))))
        await stage.leg.told.wait { $0.count == 1 }
        await call.receive(.caller(.acknowledged(nil)))
        return (stage, call, dialog)
    }
}
