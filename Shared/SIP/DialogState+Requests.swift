extension DialogState {
    /// The dialog that an INVITE asks for, seen from its receiver (RFC 3261 section 12.1.1); nil when the request lacks
    /// what a dialog needs.
    package init?(invite request: ReceivedRequest, localTag: String, localTarget: SIPURI) {
        guard var local = SIPAddress(request.to), let remote = SIPAddress(request.from),
            let remoteTag = request.fromTag,
            let contact = request.contact.flatMap({ SIPAddress($0) })
        else { return nil }
        local.tag = localTag
        self.init(
            id: DialogID(callID: request.callID, localTag: localTag, remoteTag: remoteTag), local: local,
            remote: remote,
            remoteCSeq: request.cseq, remoteTarget: contact.uri, localTarget: localTarget,
            routeSet: request.recordRoute, transport: request.source.transport,
            allowsUpdate: request.allowsUpdate)
    }

    /// The dialog that an answer to our INVITE makes, early or not (RFC 3261 section 12.1.2). One without a Contact is
    /// reached where the INVITE went.
    package init(answer: ReceivedRequest, to invite: InviteState) {
        var remote = invite.remote
        remote.tag = answer.toTag
        let contact = answer.contact.flatMap { SIPAddress($0) }?.uri
        self.init(
            id: DialogID(callID: invite.id.callID, localTag: invite.id.localTag, remoteTag: answer.toTag ?? ""),
            local: invite.local, remote: remote, localCSeq: invite.cseq,
            remoteTarget: contact.flatMap { $0.scheme == .tel ? nil : $0 } ?? invite.target,
            localTarget: invite.localTarget, routeSet: answer.recordRoute.reversed(), transport: invite.transport,
            isOpenedByUs: true, allowsUpdate: answer.allowsUpdate)
    }

    /// Takes note of a request from the other side; false when it is out of order (RFC 3261 section 12.2.2).
    package mutating func accept(_ request: ReceivedRequest) -> Bool {
        if let last = remoteCSeq, request.cseq <= last { return false }
        remoteCSeq = request.cseq
        if request.method == .invite || request.method == .update { refreshTarget(request.contact) }
        if request.allowsUpdate { allowsUpdate = true }
        return true
    }

    /// Follows a new Contact of the other side; one that cannot be reached is left alone.
    package mutating func refreshTarget(_ contact: String?) {
        guard let uri = contact.flatMap({ SIPAddress($0) })?.uri, uri.scheme != .tel else { return }
        remoteTarget = uri
    }

    /// The sequence number of the next request.
    package mutating func advanceCSeq() -> UInt32 {
        localCSeq += 1
        return localCSeq
    }

    /// Request-URI and Route values of a request in the dialog (RFC 3261 section 12.2.1.1). A first route without `lr` is a
    /// strict router: it takes the place of the Request-URI.
    package var routing: (requestURI: String, routes: [String]) {
        guard let first = routeSet.first, let router = SIPAddress(first)?.uri, router.parameter("lr") == nil else {
            return (remoteTarget.text, routeSet)
        }
        return (router.text, Array(routeSet.dropFirst()) + ["<\(remoteTarget.text)>"])
    }
}

extension DialogState {
    /// How long to wait before a re-INVITE that was answered 491 is sent again (RFC 3261 section 14.1).
    public func glareDelay() -> Duration {
        .milliseconds(10 * (isOpenedByUs ? Int.random(in: 210...400) : Int.random(in: 0...200)))
    }
}

extension ReceivedRequest {
    var allowsUpdate: Bool { allow.contains { $0.uppercased() == SIPMethod.update.rawValue } }
}
