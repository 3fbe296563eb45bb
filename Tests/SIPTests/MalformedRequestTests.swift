import SIP
import Testing

/// Requests that cannot be read are answered wherever their headers say whom to answer (RFC 3261 sections 8.2 and 21.4.1); the
/// kinds of fault are those that RFC 4475 is about.
@Suite(.serialized) struct MalformedRequestTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var status: Int
        /// Over TCP nothing after it can be read.
        var breaksFraming = false
        var text: @Sendable (String) -> String

        init(
            _ description: String, _ status: Int, breaksFraming: Bool = false,
            _ text: @escaping @Sendable (String) -> String
        ) {
            testDescription = description
            self.status = status
            self.breaksFraming = breaksFraming
            self.text = text
        }

        /// A body that is said to be longer than it is may still come.
        var isSeenInStream: Bool { !testDescription.hasSuffix("9999") }

        /// Another first line.
        static func line(_ description: String, _ status: Int, _ line: String) -> Fault {
            Fault(description, status) { line + $0[$0.firstRange(of: "\r\n")!.lowerBound...] }
        }

        /// Another line for a header; nil takes it away.
        static func header(_ name: String, _ line: String?, _ status: Int = 400, breaksFraming: Bool = false) -> Fault {
            Fault("\(name): \(line ?? "none")", status, breaksFraming: breaksFraming) { message in
                message.components("\r\n").compactMap { $0.hasPrefix(name + ":") ? line : $0 }.joined(separator: "\r\n")
            }
        }
    }

    static let lines: [Fault] = [
        .line("escape that is none", 400, "INVITE sip:%ZZ@127.0.0.1 SIP/2.0"),
        .line("half an escape", 400, "INVITE sip:abc%@127.0.0.1 SIP/2.0"),
        .line("escape cut off", 400, "INVITE sip:abc%4@127.0.0.1 SIP/2.0"),
        .line("space in the user part", 400, "INVITE sip:alice smith@127.0.0.1 SIP/2.0"),
        .line("space in a parameter", 400, "INVITE sip:alice@127.0.0.1; lr SIP/2.0"),
        .line("tab in the host", 400, "INVITE sip:alice@127.0.\t0.1 SIP/2.0"),
        .line("angle brackets", 400, "INVITE <sip:alice@127.0.0.1> SIP/2.0"),
        .line("quotes", 400, "INVITE \"sip:alice@127.0.0.1\" SIP/2.0"),
        .line("no version", 400, "INVITE sip:alice@127.0.0.1"),
        .line("no address", 400, "INVITE SIP/2.0"),
        .line("version of another protocol", 505, "INVITE sip:alice@127.0.0.1 HTTP/1.1"),
        .line("something behind the version", 400, "INVITE sip:alice@127.0.0.1 SIP/2.0 now"),
        .line("no host", 400, "INVITE sip: SIP/2.0"),
        .line("user without host", 400, "INVITE sip:alice@ SIP/2.0"),
        .line("empty user part", 400, "INVITE sip:@127.0.0.1 SIP/2.0"),
        .line("port out of range", 400, "INVITE sip:alice@127.0.0.1:99999 SIP/2.0"),
        .line("port that is no number", 400, "INVITE sip:alice@127.0.0.1:sip SIP/2.0"),
        .line("bracket left open", 400, "INVITE sip:alice@[::1 SIP/2.0"),
        .line("control character", 400, "INVITE sip:al\u{7}ice@127.0.0.1 SIP/2.0"),
        .line("escaped line break", 400, "INVITE sip:alice%0D%0A@127.0.0.1 SIP/2.0"),
        .line("letters of no known encoding", 400, "INVITE sip:%FF%FE@127.0.0.1 SIP/2.0"),
        .line("tel without number", 400, "INVITE tel: SIP/2.0"),
        .line("foreign scheme", 416, "INVITE http://127.0.0.1/ SIP/2.0"),
        .line("opaque scheme", 416, "INVITE nobodyKnowsThisScheme:totallyopaquecontent SIP/2.0"),
        .line("foreign scheme with a bad escape", 400, "INVITE mailto:%ZZ@127.0.0.1 SIP/2.0"),
        .line("version to come", 505, "INVITE sip:alice@127.0.0.1 SIP/7.0"),
        .line("old version", 505, "INVITE sip:alice@127.0.0.1 SIP/1.0"),
    ]

    static let headers: [Fault] = [
        .header("To", "To: <sip:%ZZ@127.0.0.1>"),
        .header("To", "To: sip:alice smith@127.0.0.1"),
        .header("To", "To: \"Alice <sip:alice@127.0.0.1>"),
        .header("To", "To: <sip:alice@127.0.0.1"),
        .header("To", "To:"),
        .header("To", "To: alice"),
        .header("To", "To: <http://127.0.0.1/>"),
        .header("From", "From: <sip:%ZZ@127.0.0.1>;tag=a"),
        .header("From", "From: \"Bob <sip:bob@127.0.0.1>;tag=a"),
        .header("From", "From: <sip:bob@127.0.0.1>;tag="),
        .header("From", "From:"),
        .header("Contact", "Contact: <sip:%ZZ@127.0.0.1>"),
        .header("Contact", "Contact: <sip:bob@127.0.0.1"),
        .header("Contact", "Contact: *"),
        .header("Contact", "Contact: <tel:+12025550100>"),
        .header("Contact", nil),
        .header("To", nil),
        .header("From", nil),
        .header("Call-ID", nil),
        .header("Call-ID", "Call-ID:"),
        .header("CSeq", nil),
        .header("CSeq", "CSeq: 1"),
        .header("CSeq", "CSeq: INVITE"),
        .header("CSeq", "CSeq: 1 BYE"),
        .header("CSeq", "CSeq: -1 INVITE"),
        .header("CSeq", "CSeq: 36893488147419103232 INVITE"),
        .header("CSeq", "CSeq: 4294967296 INVITE"),
        .header("Max-Forwards", "Max-Forwards: 300"),
        .header("Content-Length", "Content-Length: 9999", breaksFraming: true),
        .header("Content-Length", "Content-Length: -1", breaksFraming: true),
        .header("Content-Length", "Content-Length: some", breaksFraming: true),
        .header("Content-Length", "Content-Length: 99999999999999999999", breaksFraming: true),
        .header("Content-Type", "Content-Type:"),
        .header("Content-Type", "Content-Type: application"),
        .header("To", "To: <sip:alice@127.0.0.1>\r\nTo: <sip:bob@127.0.0.1>"),
        .header("From", "From: <sip:a@127.0.0.1>;tag=a\r\nFrom: <sip:b@127.0.0.1>;tag=b"),
        .header("CSeq", "CSeq: 1 INVITE\r\nCSeq: 2 INVITE"),
        .header("Call-ID", "Call-ID: one\r\nCall-ID: two"),
    ]

    @Test("Each is answered over UDP with its status, and nothing is left of it")
    func overUDP() async throws {
        try await Harness.run(timers: .shortest) { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            for fault in Self.lines + Self.headers {
                let call = Call(peer: peer, endpoint: harness.endpoint.port)
                peer.send(fault.text(call.invite()))
                let answer = try #require(await peer.answer(with: call.callID), "\(fault.testDescription)")
                #expect(answer.status == fault.status, "\(fault.testDescription): \(answer)")
            }
            #expect(harness.events.unread == 0)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test("Over TCP the connection goes on, unless nothing behind the fault can be read")
    func overTCP() async throws {
        try await Harness.run(timers: .shortest) { harness in
            for fault in Self.lines + Self.headers where fault.isSeenInStream {
                let peer = RawPeer(tcp: harness.endpoint.port)
                let call = Call(peer: peer, endpoint: harness.endpoint.port)
                peer.send(fault.text(call.invite()))
                let answer = try #require(await peer.receive(), "\(fault.testDescription)")
                #expect(answer.status == fault.status, "\(fault.testDescription): \(answer)")
                peer.send(call.request("OPTIONS", cseq: 7))
                let next = await peer.receive("SIP/2.0 200")
                if fault.breaksFraming { #expect(next == nil, "\(fault.testDescription)") }
            }
            #expect(harness.events.unread == 0)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test("An ACK or a response with such a fault gets no answer")
    func unanswerable() async throws {
        try await Harness.run(timers: .shortest) { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            for fault in Self.lines + Self.headers where fault.status == 400 {
                let call = Call(peer: peer, endpoint: harness.endpoint.port)
                let text = fault.text(call.invite())
                peer.send(text.replacing("INVITE", with: "ACK"))
                peer.send("SIP/2.0 200 OK" + text[text.firstRange(of: "\r\n")!.lowerBound...])
            }
            peer.send(Call(peer: peer, endpoint: harness.endpoint.port).request("OPTIONS", cseq: 7))
            #expect(await peer.receive()?.header("CSeq") == "7 OPTIONS")
            #expect(harness.events.unread == 0)
            _ = await harness.endpoint.statistics()
            #expect(harness.count("sip_malformed_total", ["outcome": "dropped"]) > 0)
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    static let tolerated: [Fault] = [
        .line("two spaces before the address", 200, "OPTIONS  sip:alice@127.0.0.1 SIP/2.0"),
        .header("Max-Forwards", "Max-Forwards: many", 200),
        .header("Max-Forwards", "Date: yesterday", 200),
        .header("Max-Forwards", "max-forwards : 70", 200),
        .header("Max-Forwards", "Subject:\r\n folded\r\n\tand again", 200),
        .header("Max-Forwards", "X-Unknown: \u{1}\u{FFFD}\u{7F}", 200),
    ]

    @Test("What does no harm is read past")
    func lenience() async throws {
        try await Harness.run(timers: .shortest) { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            for fault in Self.tolerated {
                let call = Call(peer: peer, endpoint: harness.endpoint.port)
                peer.send(fault.text(call.request("OPTIONS", cseq: 1)))
                let answer = try #require(await peer.answer(with: call.callID), "\(fault.testDescription)")
                #expect(answer.status == fault.status, "\(fault.testDescription): \(answer)")
            }
        }
    }
}

extension RawPeer {
    /// The next message of a call, skipping what is left of others; a message without a Call-ID is of every call.
    fileprivate func answer(with callID: String) async -> String? {
        while let message = await receive() {
            let found = message.header("Call-ID")
            if found == nil || found == callID || message.header("Via")?.contains(callID) == true { return message }
        }
        return nil
    }
}
