internal import CSIP

/// Calls that we set up: INVITEs that open dialogs.
extension SIPCore {
    /// A fork with more branches than this rings in silence.
    private static let maximumForks = 16

    func invite(_ state: InviteState, credentials: SIPCredentials?) {
        guard inviteIDs[state.id] == nil else { return counters.staleAction() }
        let id = endpoint.nextID()
        inviteIDs[state.id] = id
        invites[id] = Invite(state: state, credentials: credentials, isRestored: false)
        transmit(id)
    }

    /// Sends the attempt that the state describes.
    private func transmit(_ id: UInt64) {
        guard var invite = invites[id] else { return }
        let headers = invite.nextHeaders()
        invites[id] = invite
        let pointer = withInvite(invite.state, headers) { csip_client_send(agent, id, &$0, nil) }
        if let pointer {
            invites[id]?.pointer = pointer
        } else {
            finish(id, InviteResponse(invite: invite.state.id, status: 503, isFromPeer: false))
        }
    }

    func resume(_ state: InviteState, credentials: SIPCredentials?) {
        guard inviteIDs[state.id] == nil else { return counters.staleAction() }
        let id = endpoint.nextID()
        inviteIDs[state.id] = id
        invites[id] = Invite(state: state, credentials: credentials, isRestored: true)
        restore(id)
    }

    private func restore(_ id: UInt64) {
        guard var invite = invites[id] else { return }
        // Where it went is not known: the name may stand for many. Sent again it is a repetition to whoever has it, and the
        // stack looks the name up.
        guard invite.state.goesToAnAddress else { return transmit(id) }
        let headers = invite.nextHeaders()
        invite.pointer = withInvite(invite.state, headers) { csip_client_restore(agent, id, &$0) }
        invites[id] = invite
        if invite.pointer == nil {
            finish(id, InviteResponse(invite: invite.state.id, status: 503, isFromPeer: false))
        }
    }

    /// An answer to an attempt that was sent after the state was stored, or to nothing of ours.
    func unclaimed(_ message: ReceivedRequest) {
        if acknowledgeAgain(message) { return }
        let name = InviteID(callID: message.callID, localTag: message.fromTag ?? "")
        guard let id = inviteIDs[name], let invite = invites[id], invite.isRestored, !invite.isCancelled,
            message.cseq > invite.state.cseq, message.branch == invite.state.branch(of: message.cseq)
        else { return counters.unclaimedResponse() }
        invite.pointer.map(csip_client_destroy)
        invites[id]?.pointer = nil
        invites[id]?.state.cseq = message.cseq
        restore(id)
        // A refusal is repeated over UDP, to the restored transaction, which acknowledges it.
        guard message.status < 300 || invite.state.transport != .udp else { return }
        inviteAnswered(id, status: message.status, message)
    }

    /// A 2xx that opened a dialog which another process had, and that is repeated: the ACK was not sent, or got lost.
    private func acknowledgeAgain(_ message: ReceivedRequest) -> Bool {
        let id = DialogID(
            callID: message.callID, localTag: message.fromTag ?? "", remoteTag: message.toTag ?? "")
        guard (200...299).contains(message.status), let dialog = dialogs[id], dialog.isConfirmed,
            dialog.state.isOpenedByUs, let branch = message.branch
        else { return false }
        _ = withRequest(OutgoingRequest(.ack), dialog.state, message.cseq) { view in
            branch.withCString {
                view.branch = $0
                return csip_ack(agent, &view)
            }
        }
        return true
    }

    func cancel(_ name: InviteID, reason: SIPHeader?) {
        guard let id = inviteIDs[name], let invite = invites[id], let pointer = invite.pointer, !invite.isCancelled
        else {
            return counters.staleAction()
        }
        invites[id]?.isCancelled = true
        _ = csip_client_cancel(pointer, SIPHeader.lines(reason.map { [$0] } ?? []), invite.isRestored ? 1 : 0)
    }

    func inviteAnswered(_ id: UInt64, status: Int, _ message: ReceivedRequest?) {
        guard let invite = invites[id] else { return }
        if status < 200 { return progressed(id, invite, status, message) }
        var response = InviteResponse(
            invite: invite.state.id, status: status, isFromPeer: message != nil, remoteTag: message?.toTag,
            body: message?.typedBody, reason: message?.reason, retryAfter: message?.retryAfter.map { .seconds($0) },
            contacts: status < 400 ? message?.contacts.compactMap { SIPAddress($0)?.uri } ?? [] : [])
        if let message, (200...299).contains(status) { return accepted(id, invite, response, message) }
        if invite.isCancelled {
            if message == nil { response.status = 487 }
        } else if let message,
            let next = invite.state.retry(
                after: message, status: status, mayAuthorize: invite.credentials != nil)
        {
            return sendAgain(id, next)
        }
        finish(id, response)
    }

    private func sendAgain(_ id: UInt64, _ next: InviteState) {
        guard let pointer = invites[id]?.pointer else { return }
        csip_client_destroy(pointer)
        invites[id]?.pointer = nil
        invites[id]?.state = next
        dropForks(id)
        emit(.inviteChanged(next))
        transmit(id)
    }

    private func progressed(_ id: UInt64, _ invite: Invite, _ status: Int, _ message: ReceivedRequest?) {
        guard let message, status > 100, !invite.isCancelled else { return }
        var response = InviteResponse(
            invite: invite.state.id, status: status, remoteTag: message.toTag, body: message.typedBody,
            reason: message.reason)
        if message.toTag?.isEmpty == false {
            let state = DialogState(answer: message, to: invite.state)
            response.dialog = state
            if dialogs[state.id] == nil, invite.forks.count < SIPCore.maximumForks {
                dialogs[state.id] = Dialog(state: state, sentInvite: id)
                invites[id]?.forks.append(state.id)
            } else if dialogs[state.id]?.sentInvite == id {
                dialogs[state.id]?.state.refreshTarget(message.contact)
            }
        }
        emit(.inviteResponse(response))
    }

    private func accepted(_ id: UInt64, _ invite: Invite, _ response: InviteResponse, _ message: ReceivedRequest) {
        guard let pointer = invite.pointer else { return }
        var response = response
        var state = DialogState(answer: message, to: invite.state)
        if invite.state.session != nil { state.session = SessionNegotiation.agreement(in: message) }
        // Requests that the callee sent while it rang.
        state.remoteCSeq = dialogs[state.id]?.state.remoteCSeq
        let acknowledgement = Acknowledgement(
            pointer: pointer, cseq: invite.state.cseq, authorization: invite.authorization)
        let dialog = Dialog(
            state: state, flow: csip_client_flow(pointer), acknowledgement: acknowledgement,
            credentials: invite.credentials, challenges: invite.state.challenges, isConfirmed: true)
        invites[id]?.pointer = nil
        dropForks(id)
        dialogs[state.id] = dialog
        if invite.isCancelled {
            // CANCEL and 2xx crossed (RFC 3261 section 9.1).
            var bye = OutgoingRequest(.bye)
            bye.isSilent = true
            send(bye, in: state.id, id: endpoint.nextID())
            return finish(id, InviteResponse(invite: invite.state.id, status: 487, isFromPeer: false))
        }
        response.dialog = state
        response.awaitsAcknowledgement =
            invite.state.acknowledgesManually || invite.state.body == nil && response.body != nil
        if !response.awaitsAcknowledgement { acknowledge(state.id, body: nil) }
        finish(id, response)
    }

    /// What the callee still waits for in them gets its answer.
    private func dropForks(_ id: UInt64) {
        for fork in invites[id]?.forks ?? [] { forget(fork, answering: 487) }
        invites[id]?.forks = []
    }

    private func finish(_ id: UInt64, _ response: InviteResponse) {
        guard let invite = invites[id] else { return }
        dropForks(id)
        invite.pointer.map(csip_client_destroy)
        invites[id] = nil
        inviteIDs[invite.state.id] = nil
        emit(.inviteResponse(response))
    }
}

extension SIPCore.Invite {
    /// Headers of the attempt that is about to be sent.
    mutating func nextHeaders() -> [SIPHeader] {
        authorization = state.authorize(credentials, cnonce: DigestSession.cnonce())
        return state.ownHeaders + authorization
    }
}
