import Foundation
import Testing

/// A call that sipp makes: a scenario written step by step, with audio from a raw file.
struct SIPCaller {
    enum Step {
        /// Waits for a response; `optional` ones may come before the next required one.
        case expect(Int, optional: Bool = false)
        case acknowledge
        /// Answers, in the ACK, what the 200 offered.
        case acknowledgeWithAnswer
        case pause(milliseconds: Int)
        /// Streams raw G.711 bytes again and again.
        case stream(path: String, payloadType: Int)
        case pauseStream, resumeStream
        /// Plays a capture of RTP packets once.
        case capture(path: String)
        case hangUp
        case cancel
        /// Waits for a final refusal and confirms it.
        case refused(Int)
        /// Waits for the far side's BYE and confirms it.
        case awaitHangUp
        /// Answers a re-INVITE, and waits for its ACK.
        case awaitReinvite
        /// Answers an UPDATE with these headers.
        case awaitUpdate([String])
        /// A digit by INFO, and waits for its 200.
        case sendInfo(digit: Character)
    }

    enum Transport: String {
        case udp = "u1"
        case tcp = "t1"
    }

    var system: BellwireSystem
    var number: String
    var steps: [Step]
    var transport = Transport.udp
    var caller = "+14155550100"
    /// Whom it sends the call to; nil: the system's address.
    var server: String?
    /// Where it calls from; nil: from an address of its own.
    var address: String?
    /// Captures are sent from sipp's other media socket.
    var playsCaptures: Bool { steps.contains { if case .capture = $0 { true } else { false } } }
    /// Whether the INVITE has an offer.
    var offers = true
    /// Of the INVITE, beside those that every one has.
    var headers: [String] = []
    /// The codecs of the offer, like `0 101`, and their attribute lines.
    var payloads = "0 101"
    var attributes = ["rtpmap:0 PCMU/8000", "rtpmap:101 telephone-event/8000", "fmtp:101 0-15"]

    /// Runs it to its end; 0 is a call that went as written.
    func run(within limit: Duration = .seconds(150), sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let errorFile = system.folder.file("\(UUID().uuidString).log")
        let output = await (try await start(errorFile: errorFile)).finish(within: limit)
        let errors = String(decoding: FileManager.default.contents(atPath: errorFile) ?? Data(), as: UTF8.self)
        try #require(
            output.status == 0, "sipp: \(output.standardError.suffix(500))\(errors)", sourceLocation: sourceLocation)
    }

    /// - Parameter errorFile: where sipp writes what went otherwise than the scenario has it.
    func start(errorFile: String = "/dev/null") async throws -> Program {
        let identifier = UUID().uuidString
        let scenario = system.folder.file("\(identifier).xml")
        try scenarioText.write(toFile: scenario, atomically: true, encoding: .utf8)
        let address = address ?? BellwireSystem.freshAddress()
        return try await Program.start(
            "/usr/bin/sipp",
            [
                "-sf", scenario, "-m", "1", "-l", "1", "-r", "1", "-i", address, "-mi", address, "-p", "5061",
                "-s", number, "-t", transport.rawValue, "-nostdin", "-timeout", "140s", "-trace_err", "-error_file",
                errorFile,
                "-mp", "40200", "\(server ?? system.address):5060",
            ], environment: ["TERM": "dumb"], in: system.folder, name: "sipp-\(identifier)")
    }

    private var scenarioText: String {
        let invite = request(
            "INVITE \(target)", to: "", sequence: "1 INVITE",
            extra: headers.map { $0 + "\n" }.joined() + (offers ? sdpType : ""),
            body: offers ? description("sendrecv") : "")
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <scenario name="caller">
            <send retrans="500">\(invite)</send>
            \(steps.map(text).joined(separator: "\n"))
            </scenario>
            """
    }

    private var sdpType: String { "Content-Type: application/sdp\n" }

    private var target: String { "sip:[service]@[remote_ip]:[remote_port] SIP/2.0" }

    private func text(_ step: Step) -> String {
        switch step {
        case .expect(let status, let optional):
            "<recv response=\"\(status)\" rrs=\"true\"\(optional ? " optional=\"true\"" : "")></recv>"
        case .acknowledge: send("ACK [next_url] SIP/2.0", sequence: "1 ACK")
        case .acknowledgeWithAnswer:
            "<send>"
                + request(
                    "ACK [next_url] SIP/2.0", to: "[peer_tag_param]", sequence: "1 ACK", routes: true, extra: sdpType,
                    body: description("sendrecv")) + "</send>"
        case .pause(let milliseconds): "<pause milliseconds=\"\(milliseconds)\"/>"
        case .stream(let path, let payloadType):
            execute("rtp_stream=\"\(path),-1,\(payloadType),\(payloadType == 8 ? "PCMA" : "PCMU")/8000\"")
        case .pauseStream: execute("rtp_stream=\"pause\"")
        case .resumeStream: execute("rtp_stream=\"resume\"")
        case .capture(let path): execute("play_pcap_audio=\"\(path)\"")
        case .hangUp:
            send("BYE [next_url] SIP/2.0", sequence: "3 BYE", retransmits: true) + "<recv response=\"200\"></recv>"
        case .cancel:
            """
            <send retrans="500">\(request("CANCEL \(target)", to: "", sequence: "1 CANCEL"))</send>
            <recv response="200"></recv>
            \(text(.refused(487)))
            """
        case .refused(let status):
            """
            <recv response="\(status)"></recv>
            <send>\(request("ACK \(target)", to: "[peer_tag_param]", sequence: "1 ACK"))</send>
            """
        case .awaitHangUp: "<recv request=\"BYE\"></recv>" + confirm()
        case .awaitReinvite:
            "<recv request=\"INVITE\"></recv>" + confirm(body: description("recvonly"))
                + "<recv request=\"ACK\"></recv>"
        case .awaitUpdate(let headers): "<recv request=\"UPDATE\"></recv>" + confirm(headers: headers)
        case .sendInfo(let digit):
            """
            <send retrans="500">\(request(
                "INFO [next_url] SIP/2.0", to: "[peer_tag_param]", sequence: "2 INFO", routes: true,
                extra: "Content-Type: application/dtmf-relay\n", body: "Signal=\(digit)\nDuration=160\n"))</send>
            <recv response="200"></recv>
            """
        }
    }

    /// 200 to the request that came last.
    private func confirm(headers: [String] = [], body: String = "") -> String {
        """
        <send><![CDATA[
        SIP/2.0 200 OK
        [last_Via:]
        [last_From:]
        [last_To:]
        [last_Call-ID:]
        [last_CSeq:]
        Contact: <sip:caller@[local_ip]:[local_port];transport=[transport]>
        \(headers.map { $0 + "\n" }.joined())\(body.isEmpty ? "" : sdpType)Content-Length: [len]

        \(body)
        ]]></send>
        """
    }

    private func description(_ direction: String) -> String {
        ([
            "v=0", "o=caller 1 1 IN IP[local_ip_type] [local_ip]", "s=-", "c=IN IP[media_ip_type] [media_ip]",
            "t=0 0",
            "m=audio \(playsCaptures ? "[media_port]" : "[rtpstream_audio_port]") RTP/AVP \(payloads)",
        ] + attributes.map { "a=\($0)" } + ["a=ptime:20", "a=\(direction)"]).joined(separator: "\n")
    }

    private func execute(_ action: String) -> String { "<nop><action><exec \(action)/></action></nop>" }

    private func send(_ line: String, sequence: String, retransmits: Bool = false) -> String {
        let attributes = retransmits ? " retrans=\"500\"" : ""
        return "<send\(attributes)>\(request(line, to: "[peer_tag_param]", sequence: sequence, routes: true))</send>"
    }

    private func request(
        _ line: String, to tag: String, sequence: String, routes: Bool = false, extra: String = "", body: String = ""
    ) -> String {
        // A CANCEL, and the ACK of a failure, belong to the INVITE's transaction (RFC 3261, sections 9.1 and 17.1.1.3).
        let method = String(sequence.drop { $0 != " " }.dropFirst())
        let transaction =
            method == "BYE" || method == "INFO" ? method.lowercased() : method == "ACK" && routes ? "ack" : "invite"
        return """
            <![CDATA[
            \(line)
            Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=z9hG4bK[pid]n[call_number]\(transaction)
            \(routes ? "[routes]\n" : "")From: "Caller" <sip:\(caller)@[local_ip]:[local_port]>;tag=[pid]t[call_number]
            To: <sip:[service]@[remote_ip]:[remote_port]>\(tag)
            Call-ID: [call_id]
            CSeq: \(sequence)
            Contact: <sip:caller@[local_ip]:[local_port];transport=[transport]>
            Max-Forwards: 70
            \(extra)Content-Length: [len]

            \(body)
            ]]>
            """
    }
}
