internal import CSIP

/// Answers to our requests in dialogs.
extension SIPCore {
    /// A response to a request of ours; `message` is nil when the stack made it up.
    func answered(_ id: UInt64, status: Int, _ message: ReceivedRequest?) {
        if invites[id] != nil { return inviteAnswered(id, status: status, message) }
        guard let client = clients[id], !client.isDone else { return }
        let isAccepted = (200...299).contains(status) && message != nil
        let changesTarget = client.method == .invite || client.method == .update
        if let message, isAccepted, changesTarget {
            dialogs[client.dialog]?.state.refreshTarget(message.contact)
            if message.allowsUpdate { dialogs[client.dialog]?.state.allowsUpdate = true }
            if sessionTimers != nil {
                dialogs[client.dialog]?.state.session = SessionNegotiation.agreement(in: message)
            }
        }
        var awaitsAcknowledgement = false
        if status >= 200 {
            if let message, sendAgain(id, client, status: status, message) { return }
            awaitsAcknowledgement =
                isAccepted && client.method == .invite && client.request.body == nil
                && message?.typedBody != nil
            close(id, client, isAccepted: isAccepted, holdsACK: awaitsAcknowledgement)
        }
        guard !client.request.isSilent else { return }
        emit(
            .response(
                ReceivedResponse(
                    transaction: SIPTransactionID(value: id), method: client.method, status: status,
                    isFromPeer: message != nil, dialog: client.dialog, state: dialogs[client.dialog]?.state,
                    body: message?.typedBody, awaitsAcknowledgement: awaitsAcknowledgement,
                    retryAfter: message?.retryAfter.map { .seconds($0) })))
    }

    /// Answers a challenge, or raises the session interval; false when the answer stands.
    private func sendAgain(_ id: UInt64, _ client: Client, status: Int, _ message: ReceivedRequest) -> Bool {
        guard client.attempt < 3, var dialog = dialogs[client.dialog] ?? client.parting else { return false }
        let isParting = dialogs[client.dialog] == nil
        switch status {
        case 401, 407:
            guard dialog.credentials != nil,
                dialog.challenges.accept(message, status: status, trustsNewNonce: client.attempt == 1)
            else { return false }
        case 422:
            guard sessionTimers != nil, let minimum = message.minSE.flatMap(SessionExpires.minimum),
                minimum > dialog.minimumSession, minimum <= SessionTimerPolicy.longest
            else { return false }
            dialog.minimumSession = minimum
        default: return false
        }
        dialogs[client.dialog] = dialog
        close(id, client, isAccepted: false, holdsACK: false)
        transmit(client.request, in: client.dialog, id: id, attempt: client.attempt + 1)
        if isParting { part(with: client.dialog, by: id) }
        return true
    }

    private func close(_ id: UInt64, _ client: Client, isAccepted: Bool, holdsACK: Bool) {
        if dialogs[client.dialog]?.sentInvite == id { dialogs[client.dialog]?.sentInvite = nil }
        guard let pointer = client.pointer else {
            clients[id]?.isDone = true
            return
        }
        clients[id] = nil
        guard client.method == .invite, isAccepted, let dialog = dialogs[client.dialog] else {
            return csip_client_destroy(pointer)
        }
        let acknowledgement = Acknowledgement(
            pointer: pointer, cseq: client.cseq, authorization: client.authorization)
        if holdsACK {
            dialogs[client.dialog]?.acknowledgement = acknowledgement
        } else {
            send(acknowledgement, in: dialog, body: nil)
        }
    }

    /// The ACK for a 2xx, which the stack repeats for each repetition of that (RFC 3261 section 13.2.2.4).
    func send(_ acknowledgement: Acknowledgement, in dialog: Dialog, body: SIPBody?) {
        let ack = OutgoingRequest(.ack, body: body, headers: acknowledgement.authorization)
        _ = withRequest(ack, dialog.state, acknowledgement.cseq) {
            csip_client_ack(agent, acknowledgement.pointer, &$0, dialog.flow)
        }
        csip_client_destroy(acknowledgement.pointer)
    }

    func acknowledge(_ id: DialogID, body: SIPBody?) {
        guard var dialog = dialogs[id], let acknowledgement = dialog.acknowledgement else {
            return counters.staleAction()
        }
        dialog.acknowledgement = nil
        dialogs[id] = dialog
        send(acknowledgement, in: dialog, body: body)
    }
}

extension SIPCore.Dialog {
    /// Authorization headers for a request, one for each realm that has asked.
    mutating func authorize(_ method: SIPMethod) -> [SIPHeader] {
        guard let credentials, !challenges.isEmpty, method != .ack, method != .cancel else { return [] }
        let uri = state.routing.requestURI
        let cnonce = DigestSession.cnonce()
        return challenges.indices.map { challenges[$0].authorize(method, uri: uri, with: credentials, cnonce: cnonce) }
    }
}

extension DigestSession {
    /// A nonce of ours.
    static func cnonce() -> String { String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 36) }
}
