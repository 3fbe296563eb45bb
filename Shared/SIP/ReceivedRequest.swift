/// A request or response as the stack parsed it, its headers as text.
package struct ReceivedRequest: Sendable {
    /// 0: a request.
    package var status = 0
    package var method: SIPMethod = .options
    package var requestURI = ""
    package var callID = ""
    package var from = ""
    package var fromTag: String?
    package var to = ""
    package var toTag: String?
    package var contact: String?
    package var cseq: UInt32 = 0
    package var maxForwards: Int?
    /// Of the first Via.
    package var branch: String?
    package var privacy: String?
    package var reason: String?
    package var contentType: String?
    package var contentEncoding: String?
    package var recordRoute: [String] = []
    package var require: [String] = []
    package var assertedIdentity: [String] = []
    package var supported: [String] = []
    package var allow: [String] = []
    package var sessionExpires: String?
    package var minSE: String?
    package var retryAfter: Int?
    /// All of them, in responses only.
    package var contacts: [String] = []
    package var wwwAuthenticate: [String] = []
    package var proxyAuthenticate: [String] = []
    package var body: [UInt8] = []
    package var rawMessage: [UInt8] = []
    package var source = SIPPeer(transport: .udp, host: "", port: 0)

    package init() {}

    /// The body with its media type; nil when empty.
    package var typedBody: SIPBody? {
        guard !body.isEmpty else { return nil }
        return SIPBody(contentType: contentType?.lowercased() ?? "application/sdp", bytes: body)
    }

    /// The dialog it names, seen from here; nil without both tags.
    package var dialogID: DialogID? {
        guard let toTag, !toTag.isEmpty, let fromTag else { return nil }
        return DialogID(callID: callID, localTag: toTag, remoteTag: fromTag)
    }
}
