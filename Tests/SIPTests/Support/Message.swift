/// SIP messages as a test's far side writes and reads them.
struct Call {
    var callID = "call-\(UInt64.random(in: 0...UInt64.max))"
    var fromTag = "far\(UInt32.random(in: 0...UInt32.max))"
    var fromURI = "sip:+14155550100@192.0.2.1;user=phone"
    var toURI = "sip:+12025550123@127.0.0.1"
    let peer: RawPeer
    let endpoint: UInt16

    var transport: String { peer.isStream ? "TCP" : "UDP" }

    func request(
        _ method: String, cseq: Int, toTag: String? = nil, branch: String? = nil, maxForwards: Int? = 70,
        headers: [String] = [], contact: String? = "default", type: String? = nil, body: String = "", uri: String? = nil
    ) -> String {
        var lines = [
            "\(method) \(uri ?? toURI) SIP/2.0",
            "Via: SIP/2.0/\(transport) 127.0.0.1:\(peer.port);branch=\(branch ?? "z9hG4bK\(callID)\(method)\(cseq)");rport",
            "From: \"Alice\" <\(fromURI)>;tag=\(fromTag)", "To: <\(toURI)>\(toTag.map { ";tag=" + $0 } ?? "")",
            "Call-ID: \(callID)", "CSeq: \(cseq) \(method == "ACK" || method == "CANCEL" ? method : method)",
        ]
        if let maxForwards { lines.append("Max-Forwards: \(maxForwards)") }
        if let contact {
            lines.append("Contact: \(contact == "default" ? "<sip:alice@127.0.0.1:\(peer.port)>" : contact)")
        }
        if let type = type ?? (body.isEmpty ? nil : "application/sdp") { lines.append("Content-Type: \(type)") }
        lines += headers
        lines.append("Content-Length: \(body.utf8.count)")
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    func invite(headers: [String] = [], body: String = Call.offer) -> String {
        request("INVITE", cseq: 1, headers: headers, body: body)
    }

    static let offer =
        "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 40000 RTP/AVP 0\r\n"

    /// A response to a request that the endpoint sent.
    static func response(_ status: String, to request: String, headers: [String] = [], body: String = "") -> String {
        let kept = request.components("\r\n").filter {
            $0.hasPrefix("Via:") || $0.hasPrefix("From:") || $0.hasPrefix("To:") || $0.hasPrefix("Call-ID:")
                || $0.hasPrefix("CSeq:")
        }
        return (["SIP/2.0 \(status)"] + kept + headers + ["Content-Length: \(body.utf8.count)"]).joined(
            separator: "\r\n")
            + "\r\n\r\n" + body
    }
}

extension String {
    func components(_ separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }

    /// The value of the first header of that name.
    func header(_ name: String) -> String? {
        for line in components("\r\n").dropFirst() where line.lowercased().hasPrefix(name.lowercased() + ":") {
            return line.dropFirst(name.count + 1).drop { $0 == " " }.description
        }
        return nil
    }

    var toTag: String? { header("To")?.components(";tag=").last }

    var status: Int? { hasPrefix("SIP/2.0 ") ? Int(dropFirst(8).prefix(3)) : nil }
}
