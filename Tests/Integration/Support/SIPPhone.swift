import Foundation
import Testing

/// A phone that sipp plays, or the far side of a trunk: it is called, and does what its steps say. It keeps what it received
/// of the other side's audio as packets, told apart by the size of its log.
struct SIPPhone {
    enum Step {
        /// Sends a response to the INVITE; 180, or a refusal, whose ACK is awaited.
        case respond(Int)
        /// 200 with audio, and waits for the ACK.
        case answer
        /// 200 with audio and these headers, such as `Session-Expires: 90;refresher=uas`.
        case answerWith([String])
        /// UPDATE with these headers and no description, and waits for its 200.
        case update(sequence: Int, [String])
        /// Answers an UPDATE, or a re-INVITE and waits for its ACK, with the audio of before and these headers.
        case awaitRefresh(String, [String])
        /// Streams raw mu-law again and again.
        case stream(path: String)
        case pause(milliseconds: Int)
        /// Waits for the CANCEL, and answers it and the INVITE.
        case awaitCancel
        case awaitHangUp
        case hangUp
        /// Demands digest authentication of the INVITE, and waits for the one with credentials.
        case challenge(realm: String)
        /// Demands digest authentication of the BYE, and answers the one with credentials.
        case challengeHangUp(realm: String)
        /// Puts the other side on hold with a re-INVITE, and is hung up on instead of an answer.
        case holdInVain
        /// Answers a re-INVITE, and waits for its ACK.
        case awaitReinvite
        /// Puts the other side on hold with a re-INVITE.
        case hold
        /// Answers an INFO.
        case awaitInfo
    }

    let folder: Folder
    let address: String
    let steps: [Step]
    /// Every message, as sipp logs them.
    let messages: String
    private let identifier = UUID().uuidString

    init(in folder: Folder, address: String = BellwireSystem.freshAddress(), steps: [Step]) {
        self.folder = folder
        self.address = address
        self.steps = steps
        messages = folder.file("\(identifier).messages")
    }

    var uri: String { "sip:phone@\(address):5060" }

    /// What it saw and sent so far.
    var log: String { String(decoding: FileManager.default.contents(atPath: messages) ?? Data(), as: UTF8.self) }

    func start() async throws -> Program {
        let scenario = folder.file("\(identifier).xml")
        try text.write(toFile: scenario, atomically: true, encoding: .utf8)
        let program = try await Program.start(
            "/usr/bin/sipp",
            [
                "-sf", scenario, "-m", "1", "-i", address, "-mi", address, "-p", "5060", "-nostdin", "-timeout", "140s",
                "-trace_msg", "-message_file", messages, "-mp", "41200",
            ], environment: ["TERM": "dumb"], in: folder, name: "phone-\(identifier)")
        // It must listen before it is called.
        _ = try await eventually("a listening phone") { ProcessTable.listens(address, 5060) ? true : nil }
        return program
    }

    private var text: String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <scenario name="phone">
        <recv request="INVITE" rrs="true"><action>
          <ereg regexp="sip:([^>;]*)" search_in="hdr" header="Contact:" assign_to="dummy,contact"/>
          <ereg regexp=".*" search_in="hdr" header="From:" assign_to="caller"/>
        </action></recv>
        \(steps.map(text).joined(separator: "\n"))
        <Reference variables="dummy,contact,caller"/>
        </scenario>
        """
    }

    private func text(_ step: Step) -> String {
        switch step {
        case .respond(let status) where status < 200: respond("\(status) \(SIPPhone.phrase(status))", contact: true)
        case .respond(let status): respond("\(status) \(SIPPhone.phrase(status))") + acknowledged
        case .answer: respond("200 OK", contact: true, body: description()) + acknowledged
        case .answerWith(let headers):
            respond("200 OK", contact: true, extra: lines(headers), body: description()) + acknowledged
        case .update(let sequence, let headers):
            request("UPDATE", sequence: sequence, extra: lines(headers)) + "<recv response=\"200\"></recv>"
        case .awaitRefresh(let method, let headers):
            "<recv request=\"\(method)\"></recv>"
                + respond(
                    "200 OK", contact: true, extra: lines(headers), body: method == "INVITE" ? description() : "",
                    isInDialog: true) + (method == "INVITE" ? acknowledged : "")
        case .stream(let path): "<nop><action><exec rtp_stream=\"\(path),-1,0,PCMU/8000\"/></action></nop>"
        case .pause(let milliseconds): "<pause milliseconds=\"\(milliseconds)\"/>"
        case .awaitCancel:
            "<recv request=\"CANCEL\"></recv>" + respond("200 OK") + finalOfInvite + acknowledged
        case .awaitHangUp: "<recv request=\"BYE\"></recv>" + respond("200 OK", isInDialog: true)
        case .hangUp: request("BYE", sequence: 100) + "<recv response=\"200\"></recv>"
        case .challenge(let realm):
            respond(
                "407 Proxy Authentication Required",
                extra: challenge(realm))
                + acknowledged + "<recv request=\"INVITE\" rrs=\"true\"></recv>"
        case .challengeHangUp(let realm):
            "<recv request=\"BYE\"></recv>"
                + respond(
                    "407 Proxy Authentication Required", extra: challenge(realm), isInDialog: true)
                + "<recv request=\"BYE\"></recv>" + respond("200 OK", isInDialog: true)
        case .holdInVain:
            request("INVITE", sequence: 11, body: description("sendonly")) + """
                <recv response="100" optional="true"></recv><recv request="BYE"></recv>
                """ + respond("200 OK", isInDialog: true)
        case .awaitReinvite:
            "<recv request=\"INVITE\"></recv>"
                + respond("200 OK", contact: true, body: description("recvonly"), isInDialog: true)
                + acknowledged
        case .hold:
            request("INVITE", sequence: 11, body: description("sendonly")) + """
                <recv response="100" optional="true"></recv><recv response="200"></recv>
                \(request("ACK", sequence: 11, retransmits: false))
                """
        case .awaitInfo: "<recv request=\"INFO\"></recv>" + respond("200 OK", isInDialog: true)
        }
    }

    private func challenge(_ realm: String) -> String {
        "Proxy-Authenticate: Digest realm=\"\(realm)\", nonce=\"abc\", algorithm=MD5, qop=\"auth\"\n"
    }

    private func lines(_ headers: [String]) -> String { headers.map { $0 + "\n" }.joined() }

    private var acknowledged: String { "<recv request=\"ACK\"></recv>" }

    private static func phrase(_ status: Int) -> String {
        [180: "Ringing", 486: "Busy Here", 603: "Decline", 503: "Service Unavailable"][status] ?? "Status"
    }

    private func description(_ direction: String = "sendrecv") -> String {
        """
        v=0
        o=phone 1 1 IN IP4 [local_ip]
        s=-
        c=IN IP4 [media_ip]
        t=0 0
        m=audio [rtpstream_audio_port] RTP/AVP 0 101
        a=rtpmap:0 PCMU/8000
        a=rtpmap:101 telephone-event/8000
        a=\(direction)
        """
    }

    /// The final response to the INVITE after a CANCEL: sipp answers the last request, so the CSeq is written out.
    private var finalOfInvite: String {
        """
        <send><![CDATA[
        SIP/2.0 487 Request Terminated
        [last_Via:]
        [last_From:]
        [last_To:];tag=[pid]P[call_number]
        [last_Call-ID:]
        CSeq: 1 INVITE
        Content-Length: 0

        ]]></send>
        """
    }

    /// - Parameter isInDialog: the request had our tag already.
    private func respond(
        _ status: String, contact: Bool = false, extra: String = "", body: String = "", isInDialog: Bool = false
    ) -> String {
        let reply = body.isEmpty ? "" : "Content-Type: application/sdp\n"
        return """
            <send><![CDATA[
            SIP/2.0 \(status)
            [last_Via:]
            [last_Record-Route:]
            [last_From:]
            [last_To:]\(isInDialog ? "" : ";tag=[pid]P[call_number]")
            [last_Call-ID:]
            [last_CSeq:]
            \(contact ? "Contact: <sip:phone@[local_ip]:[local_port]>\n" : "")\(extra)\(reply)Content-Length: [len]

            \(body)
            ]]></send>
            """
    }

    private func request(
        _ method: String, sequence: Int, extra: String = "", body: String = "", retransmits: Bool = true
    ) -> String {
        """
        <send\(retransmits ? " retrans=\"500\"" : "")><![CDATA[
        \(method) sip:[$contact] SIP/2.0
        Via: SIP/2.0/UDP [local_ip]:[local_port];branch=z9hG4bK[pid]p\(method)\(sequence)
        From: <sip:phone@[local_ip]:[local_port]>;tag=[pid]P[call_number]
        To: [$caller]
        Call-ID: [call_id]
        CSeq: \(sequence) \(method)
        Contact: <sip:phone@[local_ip]:[local_port]>
        Max-Forwards: 70
        \(extra)\(body.isEmpty ? "" : "Content-Type: application/sdp\n")Content-Length: [len]

        \(body)
        ]]></send>
        """
    }
}
