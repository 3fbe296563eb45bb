import Domain
import Observability
import RPC
import Wire

// Voicemail, which takes the call when nobody else does.
extension CallActor {
    /// How long voicemail may take to answer.
    private static let answerDeadline: Duration = .seconds(5)
    /// How often it is asked, a second apart, when the caller is connected already.
    private static let retakeAttempts = 6

    func takeCall() { takeCall(attempts: 1, continues: false) }

    /// Whoever recorded is gone: another one, or the same after its restart, goes on.
    func retakeCall() {
        session.voicemail?.cancel()
        session.voicemailID = nil
        let wasRecording = session.isRecording
        session.isRecording = false
        takeCall(attempts: CallActor.retakeAttempts, continues: wasRecording)
    }

    private func takeCall(attempts: Int, continues: Bool) {
        guard var request = takeCallRequest() else { return send(.voicemailLost) }
        request.continues = continues
        let prepared = request
        session.voicemail = Task {
            for attempt in 1...attempts where !Task.isCancelled {
                if await record(prepared) { return }
                guard session.voicemailID == nil, attempt < attempts, !Task.isCancelled else { break }
                try? await Task.sleep(for: .seconds(1))
            }
            if !Task.isCancelled { send(.voicemailLost) }
        }
        let patience = CallActor.answerDeadline + .seconds(attempts - 1)
        // Of this take alone: it must not run out in the next one.
        session.voicemailPatience?.cancel()
        session.voicemailPatience = Task {
            try? await Task.sleep(for: patience)
            if !Task.isCancelled, session.voicemailID == nil, !machine.isEnded { send(.voicemailLost) }
        }
    }

    /// True when the message came to its end, or we left it.
    private func record(_ request: VoicemailV1.TakeCallRequest) async -> Bool {
        do {
            for try await event in services.voicemails.takeCall(request) {
                if took(event) { return true }
            }
            return false
        } catch {
            // Cancelled: we left.
            guard !Task.isCancelled, error.code != .cancelled else { return true }
            services.logger.warning(
                "voicemail lost a call",
                [.call: .id(id.description), .status: .slug(error.code.slug)])
            return false
        }
    }

    private func takeCallRequest() -> VoicemailV1.TakeCallRequest? {
        guard let facts, let user = facts.callee.user, let offer = session.offerToCallee else { return nil }
        var request = VoicemailV1.TakeCallRequest()
        request.callID = id.description
        request.accountID = user.accountID
        request.owner = user.userID
        request.sudoOwner = user.personaID
        request.phoneNumberID = user.phoneNumberID
        request.callRecordID = id.callRecordID(of: .callee).description
        request.localPhoneNumber = facts.callee.number
        request.remotePhoneNumber = facts.caller.isWithheld ? "" : facts.caller.number ?? ""
        request.displayName = facts.caller.displayName ?? ""
        request.minimumMessageSeconds = facts.callee.minimumMessageSeconds
        request.sdpOffer = offer
        return request
    }

    /// True when nothing more comes.
    private func took(_ event: VoicemailV1.TakeCallEvent) -> Bool {
        switch event.event {
        case .answer(let answer):
            guard session.voicemailID == nil else { return false }
            session.calleeDescription = answer.sdpAnswer
            session.voicemailID = BellwireID(answer.voicemailID) ?? id
            send(.voicemailAnswered)
        case .recording:
            session.isRecording = true
            keep()
        case .ended:
            send(.voicemailEnded)
            return true
        case nil: break
        }
        return false
    }
}
