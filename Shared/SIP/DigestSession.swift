internal import CSIP

/// One realm's digest authentication (RFC 2617, RFC 3261 section 22.4) as a value: the challenge and how often its nonce was
/// used. Algorithms MD5 and MD5-sess, with or without `qop=auth`.
public struct DigestSession: Hashable, Sendable, Codable {
    public var realm: String
    public var nonce: String
    public var opaque: String?
    /// As the challenge spells it; nil for MD5.
    public var algorithm: String?
    /// The challenge offers `qop=auth`.
    public var hasQOP: Bool
    /// It came as Proxy-Authenticate with 407.
    public var isProxy: Bool
    /// Requests that used the nonce so far.
    public var uses: UInt32 = 0

    /// Reads a WWW-Authenticate or Proxy-Authenticate value; nil when it is none that can be answered.
    public init?(challenge: String, isProxy: Bool) {
        guard let parameters = DigestParameters(challenge), let realm = parameters["realm"],
            let nonce = parameters["nonce"]
        else { return nil }
        let qop = parameters["qop"]?.lowercased().split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" } }
        guard qop?.contains("auth") ?? true else { return nil }
        let algorithm = parameters["algorithm"]
        guard ["md5", "md5-sess"].contains(algorithm?.lowercased() ?? "md5") else { return nil }
        self.realm = realm
        self.nonce = nonce
        opaque = parameters["opaque"]
        self.algorithm = algorithm
        hasQOP = qop != nil
        self.isProxy = isProxy
        isStale = parameters["stale"]?.lowercased() == "true"
    }

    /// The challenge says that only the nonce was too old, not the password wrong.
    public var isStale: Bool

    /// The Authorization or Proxy-Authorization header for the next request with this nonce.
    /// - Parameter cnonce: fresh for each request.
    public mutating func authorize(
        _ method: SIPMethod, uri: String, with credentials: SIPCredentials, cnonce: String
    ) -> SIPHeader {
        uses += 1
        let isSession = algorithm?.lowercased() == "md5-sess"
        var secret = md5("\(credentials.user):\(realm):\(credentials.password)")
        if isSession { secret = md5("\(secret):\(nonce):\(cnonce)") }
        let request = md5("\(method.rawValue):\(uri)")
        let count = String(uses, radix: 16).paddedToEight
        let proof = hasQOP ? "\(nonce):\(count):\(cnonce):auth" : nonce
        var text = "Digest username=\(quoted(credentials.user)), realm=\(quoted(realm)), nonce=\(quoted(nonce))"
        text += ", uri=\(quoted(uri)), response=\"\(md5("\(secret):\(proof):\(request)"))\""
        if let algorithm { text += ", algorithm=\(algorithm)" }
        if let opaque { text += ", opaque=\(quoted(opaque))" }
        if hasQOP { text += ", qop=auth, nc=\(count)" }
        if hasQOP || isSession { text += ", cnonce=\(quoted(cnonce))" }
        return SIPHeader(isProxy ? "Proxy-Authorization" : "Authorization", text)
    }
}

private func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
}

private func md5(_ text: String) -> String {
    var digest = [CChar](repeating: 0, count: 33)
    let bytes = Array(text.utf8)
    csip_md5(bytes, bytes.count, &digest)
    return String(decoding: digest.prefix(32).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

extension String {
    fileprivate var paddedToEight: String { String(repeating: "0", count: max(0, 8 - utf8.count)) + self }
}
