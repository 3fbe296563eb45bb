internal import CSIP

extension SIPCore {
    /// A request that belongs to no transaction yet.
    func received(_ request: ReceivedRequest, on server: OpaquePointer) {
        counters.request(request.method)
        switch RequestAdmission.check(request, acceptsTimer: sessionTimers != nil) {
        case .dropped: csip_server_destroy(server)
        case .rejected(let status, let headers): finish(server, SIPResponse(status, headers: headers))
        case .capabilities:
            if let id = request.dialogID, dialogs[id] == nil { return finish(server, SIPResponse(481)) }
            let supported = sessionTimers == nil ? SIPHeader.supported : .supportedTimer
            finish(server, SIPResponse(200, headers: [.allow, .accept, supported]))
        case .opensDialog: openDialog(request, on: server)
        case .inDialog: receivedInDialog(request, on: server)
        }
    }

    private func finish(_ server: OpaquePointer, _ response: SIPResponse) {
        _ = write(response, to: server)
        csip_server_destroy(server)
    }

    private func openDialog(_ request: ReceivedRequest, on server: OpaquePointer) {
        let tag = String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 36)
        let local = endpoint.contact(over: request.source.transport, port: csip_port(agent))
        guard var dialog = DialogState(invite: request, localTag: tag, localTarget: local),
            let requestURI = SIPURI(request.requestURI), let contact = request.contact.flatMap({ SIPAddress($0) }),
            let to = SIPAddress(request.to)
        else { return finish(server, SIPResponse(400)) }
        let session: SessionNegotiation?
        switch negotiate(request) {
        case .accepted(let negotiation): session = negotiation
        case .tooShort(let headers): return finish(server, SIPResponse(422, headers: headers))
        case .malformed: return finish(server, SIPResponse(400))
        case nil: session = nil
        }
        dialog.session = session?.agreement
        let opening = Opening(callID: request.callID, fromTag: dialog.id.remoteTag, cseq: request.cseq)
        guard openings.insert(opening).inserted else { return finish(server, SIPResponse(482)) }
        let id = endpoint.nextID()
        csip_server_set_tag(server, tag)
        csip_server_bind(server, id)
        _ = write(SIPResponse(100), to: server)
        servers[id] = Server(pointer: server, method: .invite, dialog: dialog.id, opening: opening, session: session)
        dialogs[dialog.id] = Dialog(
            state: dialog, flow: csip_server_flow(agent, server), pending: [id], pendingInvite: id)
        emit(
            .invite(
                IncomingInvite(
                    transaction: SIPTransactionID(value: id), dialog: dialog, callID: request.callID,
                    from: dialog.remote,
                    to: to, requestURI: requestURI, contact: contact, recordRoute: request.recordRoute,
                    cseq: request.cseq, maxForwards: request.maxForwards ?? 70,
                    caller: CallerIdentity(
                        from: dialog.remote, asserted: request.assertedIdentity, privacy: request.privacy),
                    body: request.typedBody, rawMessage: request.rawMessage, source: request.source)))
    }

    /// Nil for requests that have nothing to do with session timers.
    private func negotiate(_ request: ReceivedRequest) -> SessionNegotiation.Outcome? {
        guard let sessionTimers, request.method == .invite || request.method == .update else { return nil }
        return SessionNegotiation.answer(request, sessionTimers)
    }

    private func receivedInDialog(_ request: ReceivedRequest, on server: OpaquePointer) {
        guard let dialogID = request.dialogID, var dialog = dialogs[dialogID] else {
            return finish(server, SIPResponse(481))
        }
        if request.method == .invite {
            // RFC 3261 section 14.2: one INVITE at a time.
            if dialog.pendingInvite != nil {
                let retry = SIPHeader.retryAfter(seconds: Int.random(in: 0...10))
                return finish(server, SIPResponse(500, headers: [retry]))
            }
            if dialog.sentInvite != nil { return finish(server, SIPResponse(491)) }
        }
        guard dialog.state.accept(request) else { return finish(server, SIPResponse(500)) }
        dialogs[dialogID] = dialog
        var session: SessionNegotiation?
        switch negotiate(request) {
        case .accepted(let negotiation): session = negotiation
        case .tooShort(let headers): return finish(server, SIPResponse(422, headers: headers))
        case .malformed: return finish(server, SIPResponse(400))
        case nil: break
        }
        let id = endpoint.nextID()
        var event = InDialogRequest(
            transaction: SIPTransactionID(value: id), method: request.method, dialog: dialog.state,
            body: request.typedBody, reason: request.reason, source: request.source)
        if let session { event.dialog.session = session.agreement }
        csip_server_bind(server, id)
        servers[id] = Server(pointer: server, method: request.method, dialog: dialogID, session: session)
        if request.method == .bye {
            forget(dialogID, answering: 487)
            return emit(.ended(event))
        }
        dialogs[dialogID]?.pending.insert(id)
        if request.method == .invite {
            dialogs[dialogID]?.pendingInvite = id
            _ = write(SIPResponse(100), to: server)
        }
        emit(.request(event))
    }

    /// The ACK for our 2xx.
    func acknowledged(_ id: UInt64, _ request: ReceivedRequest) {
        guard let server = servers[id], server.awaitsACK else { return }
        remove(id, server)
        emit(.acknowledged(SIPTransactionID(value: id), server.dialog, body: request.typedBody))
        sendDeferredBye(server.dialog)
    }

    /// CANCEL: its 200 is out.
    func cancelled(_ id: UInt64, _ request: ReceivedRequest) {
        guard let server = servers[id], !server.awaitsACK else { return }
        _ = write(SIPResponse(487), to: server.pointer)
        remove(id, server)
        if server.opensDialog { forget(server.dialog, answering: 487) }
        emit(.cancelled(SIPTransactionID(value: id), server.dialog, reason: request.reason))
    }

    /// No ACK for our 2xx in 64*T1.
    func timedOut(_ id: UInt64) {
        guard let server = servers[id] else { return }
        remove(id, server)
        guard dialogs[server.dialog] != nil else { return }
        emit(.failed(SIPTransactionID(value: id), server.dialog, .notAcknowledged))
        sendDeferredBye(server.dialog)
    }

    /// The transaction is over for us; the stack keeps what retransmissions need.
    func remove(_ id: UInt64, _ server: Server) {
        csip_server_destroy(server.pointer)
        servers[id] = nil
        if let opening = server.opening { openings.remove(opening) }
        guard var dialog = dialogs[server.dialog] else { return }
        dialog.pending.remove(id)
        if dialog.pendingInvite == id { dialog.pendingInvite = nil }
        if dialog.unacknowledged == id { dialog.unacknowledged = nil }
        dialogs[server.dialog] = dialog
    }
}
