internal import CSIP

extension ReceivedRequest {
    /// Copies what the stack lends for the time of a callback.
    init(_ message: UnsafePointer<csip_message>) {
        self.init()
        let view = message.pointee
        status = Int(view.status)
        method = SIPMethod(rawValue: text(view.method) ?? "")
        requestURI = text(view.request_uri) ?? ""
        callID = text(view.call_id) ?? ""
        from = text(view.from) ?? ""
        fromTag = text(view.from_tag)
        to = text(view.to) ?? ""
        toTag = text(view.to_tag)
        contact = text(view.contact)
        cseq = view.cseq
        maxForwards = view.max_forwards < 0 ? nil : Int(view.max_forwards)
        branch = text(view.branch)
        privacy = text(view.privacy)
        reason = text(view.reason)
        contentType = text(view.content_type)
        contentEncoding = text(view.content_encoding)
        recordRoute = texts(view.record_route)
        require = texts(view.require)
        assertedIdentity = texts(view.asserted_identity)
        supported = texts(view.supported)
        allow = texts(view.allow)
        sessionExpires = text(view.session_expires)
        minSE = text(view.min_se)
        retryAfter = view.retry_after < 0 ? nil : Int(view.retry_after)
        contacts = texts(view.contacts)
        wwwAuthenticate = texts(view.www_authenticate)
        proxyAuthenticate = texts(view.proxy_authenticate)
        body = Array(UnsafeBufferPointer(start: view.body, count: view.body_length))
        rawMessage = Array(UnsafeBufferPointer(start: view.raw, count: view.raw_length))
        source = SIPPeer(
            transport: view.is_udp != 0 ? .udp : .tcp, host: text(view.source_host) ?? "", port: view.source_port)
    }
}

private func text(_ pointer: UnsafePointer<CChar>?) -> String? {
    pointer.map { String(cString: $0) }
}

private func texts(_ list: UnsafePointer<UnsafePointer<CChar>?>?) -> [String] {
    guard var next = list else { return [] }
    var values: [String] = []
    while let value = next.pointee {
        values.append(String(cString: value))
        next += 1
    }
    return values
}
