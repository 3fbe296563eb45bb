extension InviteState {
    /// Request-URI on the wire: it names the transport when that is not UDP (RFC 3261 section 19.1.2).
    package var requestURI: String {
        var uri = target
        if transport == .tcp, uri.scheme != .tel, uri.parameter("transport") == nil {
            uri.parameters.append(SIPURI.Parameter("transport", "tcp"))
        }
        return uri.text
    }

    /// The next hop is an address, not a name.
    package var goesToAnAddress: Bool {
        let hop = routes.first.flatMap { SIPAddress($0)?.uri } ?? target
        let octets = hop.host.split(separator: ".", omittingEmptySubsequences: false)
        return octets.count == 4 && octets.allSatisfy { UInt8($0) != nil }
    }

    /// Headers of the INVITE beyond those that the stack writes and the credentials.
    package var ownHeaders: [SIPHeader] {
        guard let session else { return headers + [.allow, .supported] }
        return headers + [
            .allow, .supportedTimer, SIPHeader("Session-Expires", String(session.interval)),
            SIPHeader("Min-SE", String(session.minimum)),
        ]
    }

    /// What answers the challenges so far; counts the use of each nonce.
    package mutating func authorize(_ credentials: SIPCredentials?, cnonce: String) -> [SIPHeader] {
        guard let credentials else { return [] }
        let uri = requestURI
        return challenges.indices.map { challenges[$0].authorize(.invite, uri: uri, with: credentials, cnonce: cnonce) }
    }

    /// The next attempt after a final response, when there is one to make.
    /// - Parameter mayAuthorize: credentials are at hand.
    package func retry(after response: ReceivedRequest, status: Int, mayAuthorize: Bool) -> InviteState? {
        // 401, 407, a stale nonce and 422 make five at most in a sane network.
        guard cseq < 6 else { return nil }
        var next = self
        next.cseq += 1
        switch status {
        case 401, 407:
            guard mayAuthorize, next.challenges.accept(response, status: status) else { return nil }
        case 422:
            guard var session, let minimum = response.minSE.flatMap(SessionExpires.minimum), minimum > session.interval,
                minimum <= SessionTimerPolicy.longest
            else { return nil }
            session.interval = minimum
            session.minimum = max(session.minimum, minimum)
            next.session = session
        default: return nil
        }
        return next
    }
}

extension [DigestSession] {
    /// Takes the challenges of a 401 or 407; false when there is none that the same credentials could answer better than
    /// before.
    /// - Parameter trustsNewNonce: another nonce without `stale` is no refusal of the password: the request used one that may
    ///   have grown old.
    package mutating func accept(_ response: ReceivedRequest, status: Int, trustsNewNonce: Bool = false) -> Bool {
        let isProxy = status == 407
        var isNew = false
        for text in isProxy ? response.proxyAuthenticate : response.wwwAuthenticate {
            guard let challenge = DigestSession(challenge: text, isProxy: isProxy) else { continue }
            if let index = firstIndex(where: { $0.realm == challenge.realm && $0.isProxy == isProxy }) {
                // Refused with this nonce: the password is wrong.
                guard challenge.isStale || trustsNewNonce && self[index].nonce != challenge.nonce else { continue }
                self[index] = challenge
            } else {
                // One for each realm: several algorithms may be offered, of which the first known is taken.
                append(challenge)
            }
            isNew = true
        }
        return isNew
    }
}

extension SessionTimerPolicy {
    /// A day: nobody means more.
    static let longest: UInt32 = 86_400
}

extension SIPHeader {
    /// Session timers (RFC 4028).
    static let supportedTimer = SIPHeader("Supported", "timer")
}
