import SIP
import Testing

/// The far side of a call that an endpoint sets up: a socket that answers with messages of the test's own making.
struct Callee {
    let peer: RawPeer

    init(of endpoint: UInt16) { peer = RawPeer(udp: endpoint) }

    /// An INVITE to it.
    func invite(
        headers: [SIPHeader] = [], body: SIPBody? = .sdp(Call.offer), acknowledgesManually: Bool = false
    ) -> OutgoingInvite {
        let target = SIPURI(user: "bob", host: "127.0.0.1", port: peer.port)
        return OutgoingInvite(
            target: target, from: SIPAddress(uri: SIPURI(user: "alice", host: "127.0.0.1")),
            to: SIPAddress(uri: target), headers: headers, body: body, acknowledgesManually: acknowledgesManually)
    }

    /// The next request of that method.
    func request(_ method: String, within milliseconds: Int = 3000) async -> String? {
        await peer.receive("\(method) ", within: milliseconds)
    }

    /// - Parameter tag: of the branch that answers; nil for 100.
    func answer(
        _ status: String, to request: String, tag: String? = nil, headers: [String] = [], body: String = ""
    ) {
        let to = request.header("To") ?? ""
        let tagged = tag.map { request.replacing("To: \(to)", with: "To: \(to);tag=\($0)") } ?? request
        let contact = ["Contact: <sip:bob-\(tag ?? "")@127.0.0.1:\(peer.port)>"]
        let type = body.isEmpty ? [] : ["Content-Type: application/sdp"]
        peer.send(Call.response(status, to: tagged, headers: contact + type + headers, body: body))
    }

    static let description =
        "v=0\r\no=- 2 2 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40002 RTP/AVP 0\r\n"
}

extension EventLog {
    /// The next event, which has to be an answer to an INVITE of ours.
    func nextAnswer(sourceLocation: SourceLocation = #_sourceLocation) async throws -> InviteResponse {
        let event = await next()
        guard case .inviteResponse(let response) = event else {
            Issue.record("no answer but \(String(describing: event))", sourceLocation: sourceLocation)
            throw NoAnswer()
        }
        return response
    }
}

private struct NoAnswer: Error {}

extension String {
    var branch: String? { header("Via")?.components(";branch=").last?.components(";").first }
}
