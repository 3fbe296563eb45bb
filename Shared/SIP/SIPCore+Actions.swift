internal import CSIP

extension SIPCore {
    func respond(to id: UInt64, _ response: SIPResponse) {
        guard let server = servers[id], !server.awaitsACK, (101...699).contains(response.status) else {
            return counters.staleAction()
        }
        var response = response
        let isInvite = server.method == .invite
        let carriesContact = (isInvite || server.method == .update) && response.status < 300
        if isInvite, (200...299).contains(response.status) { response.headers += [.allow, .supported] }
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
            return answerLocally(id, request.method, dialogID, status: dialogs[dialogID] == nil ? 481 : 491)
        }
        if request.method == .bye, dialog.unacknowledged != nil {
            dialogs[dialogID]?.deferredBye = (id, request)
            return
        }
        let cseq = dialog.state.advanceCSeq()
        if request.method == .invite { dialog.sentInvite = id }
        dialogs[dialogID] = dialog
        clients[id] = Client(method: request.method, dialog: dialogID, cseq: cseq)
        let pointer = withRequest(request, dialog.state, cseq) { csip_client_send(agent, id, &$0, dialog.flow) }
        if request.method == .bye { forget(dialogID, answering: 487) }
        guard let pointer else {
            clients[id] = nil
            if dialogs[dialogID]?.sentInvite == id { dialogs[dialogID]?.sentInvite = nil }
            return answerLocally(id, request.method, dialogID, status: 503)
        }
        if clients[id]?.isDone ?? true {
            clients[id] = nil
            csip_client_destroy(pointer)
        } else {
            clients[id]?.pointer = pointer
        }
    }

    private func answerLocally(_ id: UInt64, _ method: SIPMethod, _ dialog: DialogID, status: Int) {
        emit(
            .response(
                ReceivedResponse(
                    transaction: SIPTransactionID(value: id), method: method, status: status, isFromPeer: false,
                    dialog: dialog, state: dialogs[dialog]?.state)))
    }

    func sendDeferredBye(_ dialogID: DialogID) {
        guard let bye = dialogs[dialogID]?.deferredBye else { return }
        dialogs[dialogID]?.deferredBye = nil
        send(bye.request, in: dialogID, id: bye.id)
    }

    /// A response to a request of ours; nil when the stack made it up.
    func answered(_ id: UInt64, status: Int, _ message: ReceivedRequest?) {
        guard let client = clients[id], !client.isDone else { return }
        let isFinal = status >= 200
        var body: SIPBody?
        if let message {
            body = message.typedBody
            let changesTarget = client.method == .invite || client.method == SIPMethod.update
            if changesTarget, (200...299).contains(status) {
                dialogs[client.dialog]?.state.refreshTarget(message.contact)
            }
        }
        if isFinal { close(id, client, isAccepted: (200...299).contains(status) && message != nil) }
        emit(
            .response(
                ReceivedResponse(
                    transaction: SIPTransactionID(value: id), method: client.method, status: status,
                    isFromPeer: message != nil, dialog: client.dialog, state: dialogs[client.dialog]?.state, body: body)
            ))
    }

    private func close(_ id: UInt64, _ client: Client, isAccepted: Bool) {
        if dialogs[client.dialog]?.sentInvite == id { dialogs[client.dialog]?.sentInvite = nil }
        guard let pointer = client.pointer else {
            clients[id]?.isDone = true
            return
        }
        if client.method == .invite, isAccepted, let dialog = dialogs[client.dialog] {
            _ = withRequest(OutgoingRequest(.ack), dialog.state, client.cseq) {
                csip_client_ack(agent, pointer, &$0, dialog.flow)
            }
        }
        clients[id] = nil
        csip_client_destroy(pointer)
    }

    func adopt(_ state: DialogState) {
        guard dialogs[state.id] == nil else { return counters.staleAction() }
        dialogs[state.id] = Dialog(state: state, isConfirmed: true)
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
        if let bye = dialog.deferredBye { answerLocally(bye.id, .bye, id, status: 481) }
    }
}
