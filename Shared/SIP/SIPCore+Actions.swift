internal import CSIP

extension SIPCore {
    func respond(to id: UInt64, _ response: SIPResponse) {
        guard let server = servers[id], !server.awaitsACK, (101...699).contains(response.status) else {
            return counters.staleAction()
        }
        var response = response
        let isInvite = server.method == .invite
        let carriesContact = (isInvite || server.method == .update) && response.status < 300
        if (200...299).contains(response.status) {
            if isInvite { response.headers.append(.allow) }
            if let session = server.session {
                response.headers += session.headers
                dialogs[server.dialog]?.state.session = session.agreement
            } else if isInvite {
                response.headers.append(.supported)
            }
        }
        let contact = carriesContact ? dialogs[server.dialog]?.state.localTarget : nil
        let isSent = write(response, to: server.pointer, contact: contact)
        guard response.status >= 200 else { return }
        if isInvite, response.status < 300, isSent {
            servers[id]?.awaitsACK = true
            dialogs[server.dialog]?.pending.remove(id)
            dialogs[server.dialog]?.pendingInvite = nil
            dialogs[server.dialog]?.unacknowledged = id
            dialogs[server.dialog]?.isConfirmed = true
            return
        }
        remove(id, server)
        if server.opensDialog {
            if response.status >= 300 {
                forget(server.dialog, answering: 487)
            } else {
                dialogs[server.dialog]?.isConfirmed = true
            }
        }
        if !isSent { emit(.failed(SIPTransactionID(value: id), server.dialog, .transportError)) }
    }

    func send(_ request: OutgoingRequest, in dialogID: DialogID, id: UInt64) {
        guard var dialog = dialogs[dialogID], dialog.isConfirmed, dialog.deferredBye == nil,
            request.method != .invite || dialog.sentInvite == nil
        else {
            counters.staleAction()
            return answerLocally(id, request, dialogID, status: dialogs[dialogID] == nil ? 481 : 491)
        }
        if request.method == .bye, dialog.unacknowledged != nil {
            dialogs[dialogID]?.deferredBye = (id, request)
            return
        }
        if request.method == .bye, dialog.acknowledgement != nil {
            acknowledge(dialogID, body: nil)
            dialog = dialogs[dialogID] ?? dialog
        }
        dialogs[dialogID] = dialog
        transmit(request, in: dialogID, id: id, attempt: 1)
        if request.method == .bye { part(with: dialogID, by: id) }
    }

    /// Forgets a dialog whose BYE is out. What a challenge of the BYE needs stays with that.
    func part(with dialogID: DialogID, by id: UInt64) {
        guard let dialog = dialogs[dialogID] else { return }
        if clients[id] != nil, dialog.credentials != nil {
            clients[id]?.parting = Dialog(
                state: dialog.state, credentials: dialog.credentials, challenges: dialog.challenges, isConfirmed: true)
        }
        forget(dialogID, answering: 487)
    }

    /// Gives a request in a dialog to the stack, with credentials where the other side has asked for them before.
    func transmit(_ request: OutgoingRequest, in dialogID: DialogID, id: UInt64, attempt: Int) {
        guard var dialog = dialogs[dialogID] else { return answerLocally(id, request, dialogID, status: 481) }
        let cseq = dialog.state.advanceCSeq()
        if request.method == .invite { dialog.sentInvite = id }
        let authorization = dialog.authorize(request.method)
        dialogs[dialogID] = dialog
        clients[id] = Client(
            dialog: dialogID, cseq: cseq, request: request, authorization: authorization, attempt: attempt)
        var complete = request
        complete.headers += authorization + sessionHeaders(request.method, dialog)
        let pointer = withRequest(complete, dialog.state, cseq) { csip_client_send(agent, id, &$0, dialog.flow) }
        guard let pointer else {
            clients[id] = nil
            if dialogs[dialogID]?.sentInvite == id { dialogs[dialogID]?.sentInvite = nil }
            return answerLocally(id, request, dialogID, status: 503)
        }
        if clients[id]?.isDone ?? true {
            clients[id] = nil
            csip_client_destroy(pointer)
        } else {
            clients[id]?.pointer = pointer
        }
    }

    /// A timer in force keeps its interval and its refresher (RFC 4028 section 7.4).
    private func sessionHeaders(_ method: SIPMethod, _ dialog: Dialog) -> [SIPHeader] {
        guard method == .invite || method == .update else { return [] }
        guard let sessionTimers else { return method == .invite ? [.allow, .supported] : [] }
        let agreed = dialog.state.session
        let minimum = max(sessionTimers.minimum, dialog.minimumSession)
        let wanted = SessionExpires(
            interval: max(agreed?.interval ?? sessionTimers.interval, minimum),
            refresher: agreed.map { $0.isRefreshedByUs ? .uac : .uas })
        return [
            .allow, .supportedTimer, SIPHeader("Session-Expires", wanted.text), SIPHeader("Min-SE", String(minimum)),
        ]
    }

    func answerLocally(_ id: UInt64, _ request: OutgoingRequest, _ dialog: DialogID, status: Int) {
        guard !request.isSilent else { return }
        emit(
            .response(
                ReceivedResponse(
                    transaction: SIPTransactionID(value: id), method: request.method, status: status, isFromPeer: false,
                    dialog: dialog, state: dialogs[dialog]?.state)))
    }

    func sendDeferredBye(_ dialogID: DialogID) {
        guard let bye = dialogs[dialogID]?.deferredBye else { return }
        dialogs[dialogID]?.deferredBye = nil
        send(bye.request, in: dialogID, id: bye.id)
    }

    func adopt(_ state: DialogState, credentials: SIPCredentials?) {
        guard dialogs[state.id] == nil else { return counters.staleAction() }
        dialogs[state.id] = Dialog(state: state, credentials: credentials, isConfirmed: true)
    }

    func resume(storedInvite rawMessage: [UInt8], of dialog: DialogState, id: UInt64) {
        guard dialogs[dialog.id] == nil, let server = csip_server_restore(agent, rawMessage, rawMessage.count) else {
            counters.staleAction()
            return emit(.failed(SIPTransactionID(value: id), dialog.id, .transportError))
        }
        csip_server_set_tag(server, dialog.id.localTag)
        csip_server_bind(server, id)
        let opening = Opening(
            callID: dialog.id.callID, fromTag: dialog.id.remoteTag, cseq: csip_server_cseq(server))
        openings.insert(opening)
        servers[id] = Server(
            pointer: server, method: .invite, dialog: dialog.id, opening: opening,
            session: sessionTimers.map { _ in SessionNegotiation(restoring: dialog.session) })
        dialogs[dialog.id] = Dialog(state: dialog, pending: [id], pendingInvite: id)
    }

    func refuse(storedInvite rawMessage: [UInt8], of dialog: DialogState, _ response: SIPResponse) {
        guard dialog.transport == .udp, (300...699).contains(response.status), dialogs[dialog.id] == nil,
            let server = csip_server_restore(agent, rawMessage, rawMessage.count)
        else { return counters.staleAction() }
        csip_server_set_tag(server, dialog.id.localTag)
        _ = write(response, to: server)
        csip_server_destroy(server)
    }

    /// Drops the dialog; what waits for an answer in it gets this one (RFC 3261 section 15.1.2).
    func forget(_ id: DialogID, answering status: Int) {
        guard let dialog = dialogs.removeValue(forKey: id) else { return }
        for pending in dialog.pending {
            guard let server = servers.removeValue(forKey: pending) else { continue }
            _ = write(SIPResponse(status), to: server.pointer)
            csip_server_destroy(server.pointer)
            if let opening = server.opening { openings.remove(opening) }
        }
        dialog.flow.map(csip_flow_release)
        (dialog.acknowledgement?.pointer).map(csip_client_destroy)
        if let bye = dialog.deferredBye { answerLocally(bye.id, bye.request, id, status: 481) }
    }
}
