internal import CSIP

extension SIPCore {
    /// Lends a request in a dialog to the stack, which copies it.
    func withRequest<Result>(
        _ request: OutgoingRequest, _ dialog: DialogState, _ cseq: UInt32, _ body: (inout csip_request) -> Result
    ) -> Result {
        let (requestURI, routes) = dialog.routing
        let type = request.body.flatMap { SIPHeader("Content-Type", $0.contentType).isWritable ? $0.contentType : nil }
        let carriesContact = request.method == .invite || request.method == .update
        let strings: [String?] = [
            request.method.rawValue, requestURI, dialog.local.text, dialog.remote.text, dialog.id.callID,
            carriesContact ? "<\(dialog.localTarget.text)>" : nil, SIPHeader.lines(request.headers), type,
        ]
        return withCStrings(strings) { fixed in
            withCStrings(routes) { routes in
                (request.body?.bytes ?? []).withUnsafeBufferPointer { bytes in
                    var view = csip_request(
                        method: fixed[0], request_uri: fixed[1], from: fixed[2], to: fixed[3], call_id: fixed[4],
                        contact: fixed[5], cseq: cseq, routes: routes.baseAddress, headers: fixed[6],
                        content_type: fixed[7], body: bytes.baseAddress, body_length: bytes.count, branch: nil)
                    return body(&view)
                }
            }
        }
    }

    /// Lends an INVITE that opens a dialog to the stack, which copies it.
    func withInvite<Result>(
        _ invite: InviteState, _ headers: [SIPHeader], _ body: (inout csip_request) -> Result
    ) -> Result {
        let type = invite.body.flatMap { SIPHeader("Content-Type", $0.contentType).isWritable ? $0.contentType : nil }
        let strings: [String?] = [
            SIPMethod.invite.rawValue, invite.requestURI, invite.local.text, invite.remote.text, invite.id.callID,
            "<\(invite.localTarget.text)>", SIPHeader.lines(headers), type, invite.branch(of: invite.cseq),
        ]
        return withCStrings(strings) { fixed in
            withCStrings(invite.routes) { routes in
                (invite.body?.bytes ?? []).withUnsafeBufferPointer { bytes in
                    var view = csip_request(
                        method: fixed[0], request_uri: fixed[1], from: fixed[2], to: fixed[3], call_id: fixed[4],
                        contact: fixed[5], cseq: invite.cseq, routes: routes.baseAddress, headers: fixed[6],
                        content_type: fixed[7], body: bytes.baseAddress, body_length: bytes.count, branch: fixed[8])
                    return body(&view)
                }
            }
        }
    }
}

/// Lends C strings, NULL for nil; the list ends with a NULL.
private func withCStrings<Result>(
    _ strings: [String?], _ body: (UnsafeMutableBufferPointer<UnsafePointer<CChar>?>) -> Result
) -> Result {
    let bytes = strings.map { $0.map { ContiguousArray($0.utf8CString) } }
    let total = bytes.reduce(0) { $0 + ($1?.count ?? 0) }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: max(total, 1)) { storage in
        withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: strings.count + 1) { list in
            var used = 0
            for (index, text) in bytes.enumerated() {
                guard let text, let base = storage.baseAddress else {
                    list.initializeElement(at: index, to: nil)
                    continue
                }
                for (offset, byte) in text.enumerated() { (base + used + offset).initialize(to: byte) }
                list.initializeElement(at: index, to: UnsafePointer(base + used))
                used += text.count
            }
            list.initializeElement(at: strings.count, to: nil)
            return body(list)
        }
    }
}
