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
            routeSet: request.recordRoute, transport: request.source.transport)
    }

    /// Takes note of a request from the other side; false when it is out of order (RFC 3261 section 12.2.2).
    package mutating func accept(_ request: ReceivedRequest) -> Bool {
        if let last = remoteCSeq, request.cseq <= last { return false }
        remoteCSeq = request.cseq
        if request.method == .invite || request.method == .update { refreshTarget(request.contact) }
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
