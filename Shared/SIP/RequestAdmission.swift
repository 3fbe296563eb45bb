/// What RFC 3261 section 8.2 has a user agent server check before it looks at what a request means.
package enum RequestAdmission: Equatable, Sendable {
    /// Answer this and no more.
    case rejected(Int, [SIPHeader])
    /// OPTIONS: answer it here.
    case capabilities
    /// An INVITE without To tag.
    case opensDialog
    /// A request with a To tag, or one that only makes sense within a dialog.
    case inDialog
    /// No answer is allowed.
    case dropped

    /// - Parameter acceptsTimer: session timers (RFC 4028) may be required.
    package static func check(_ request: ReceivedRequest, acceptsTimer: Bool = false) -> RequestAdmission {
        if request.method == .ack { return .dropped }
        // The stack takes the CANCELs that match.
        if request.method == .cancel { return .rejected(481, []) }
        guard SIPMethod.allowed.contains(request.method) else {
            let isKnown = SIPMethod.knownButNotAllowed.contains(request.method.rawValue)
            return .rejected(isKnown ? 405 : 501, [.allow])
        }
        guard SIPURI(request.requestURI) != nil else {
            return .rejected(hasForeignScheme(request.requestURI) ? 416 : 400, [])
        }
        guard SIPAddress(request.from) != nil, SIPAddress(request.to) != nil, request.fromTag?.isEmpty == false,
            !request.callID.isEmpty, request.maxForwards ?? 0 <= 255, request.cseq <= Int32.max
        else { return .rejected(400, []) }
        if request.maxForwards == 0, request.method != .bye { return .rejected(483, []) }
        // Little is supported that could be required (section 8.2.2.3).
        let unsupported = request.require.filter { !(acceptsTimer && $0.lowercased() == "timer") }
        if !unsupported.isEmpty {
            return .rejected(420, [SIPHeader("Unsupported", unsupported.joined(separator: ", "))])
        }
        if request.method != .bye, let refusal = refusalOfContent(request) { return refusal }
        if request.toTag?.isEmpty == false { return request.method == .options ? .capabilities : .inDialog }
        switch request.method {
        case .options: return .capabilities
        case .invite:
            guard let contact = request.contact, let address = SIPAddress(contact), address.uri.scheme != .tel else {
                return .rejected(400, [])
            }
            return .opensDialog
        default: return .inDialog
        }
    }

    private static func hasForeignScheme(_ text: String) -> Bool {
        guard let colon = text.firstIndex(of: ":") else { return false }
        let scheme = text[..<colon]
        return !scheme.isEmpty && SIPURI.Scheme(rawValue: scheme.lowercased()) == nil
            && scheme.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || (0x2B...0x39).contains($0) }
    }

    private static func refusalOfContent(_ request: ReceivedRequest) -> RequestAdmission? {
        guard !request.body.isEmpty else { return nil }
        if let encoding = request.contentEncoding, !encoding.isEmpty, encoding.lowercased() != "identity" {
            return .rejected(415, [SIPHeader("Accept-Encoding", "identity")])
        }
        guard request.method == .invite || request.method == .update else { return nil }
        guard let type = request.contentType else { return .rejected(400, []) }
        return type.lowercased() == "application/sdp" ? nil : .rejected(415, [.accept])
    }
}

extension SIPHeader {
    package static let allow = SIPHeader("Allow", SIPMethod.allowed.map(\.rawValue).joined(separator: ", "))
    package static let accept = SIPHeader("Accept", "application/sdp")
    /// No extension is supported: the empty list says so (RFC 3261 section 20.37).
    package static let supported = SIPHeader("Supported", "")
}
