import Runtime
import Synchronization
import Testing

/// A caller made of text and a UDP socket: it says exactly what a test wants said.
final class SIPPhone: Sendable {
    let received = Recorder<SIPText>()
    let port: UInt16
    let callID = "\(UInt64.random(in: 0...UInt64.max))@test"
    private let server: UInt16
    private let socket: DatagramSocket
    private let isStopped = Atomic<Bool>(false)
    private let answersBye = Atomic<Bool>(true)
    private let branch = Atomic<Int>(0)
    private let acknowledgement = Mutex<[UInt8]?>(nil)

    init(server: UInt16) throws {
        self.server = server
        socket = try DatagramSocket(connectedTo: "127.0.0.1", port: server)
        port = socket.localPort
        let poller = try Poller()
        try poller.add(socket.number, .readable, token: 0)
        _ = try LoopThread(name: "phone") { [self] in
            while !isStopped.load(ordering: .acquiring) {
                _ = try? poller.wait(timeout: .milliseconds(50))
                while let datagram = try? socket.receive() {
                    let text = SIPText(String(decoding: datagram, as: UTF8.self))
                    // Requests of the other side are accepted; a repeated one is answered again, and noted once.
                    if text.isRequest, text.method != "ACK" { accept(text) }
                    if text.status == 200, text.header("CSeq") == "1 INVITE" { acknowledgeAgain() }
                    received.append(text)
                }
            }
        }
    }

    /// Says nothing to a BYE, or answers again.
    func answerBye(_ answers: Bool) { answersBye.store(answers, ordering: .releasing) }

    func hangUpPhone() { isStopped.store(true, ordering: .releasing) }

    /// - Parameter transaction: the branch of an earlier request, for CANCEL.
    @discardableResult
    func send(
        _ method: String, cseq: Int, toTag: String? = nil, transaction: String? = nil, headers: [String] = [],
        type: String = "application/sdp", body: String = "", user: String = "+12025550100"
    ) -> String {
        let number = branch.wrappingAdd(1, ordering: .relaxed).newValue
        let transaction = transaction ?? "z9hG4bK\(port)x\(number)"
        var lines = [
            "\(method) sip:\(user)@127.0.0.1:\(server) SIP/2.0",
            "Via: SIP/2.0/UDP 127.0.0.1:\(port);branch=\(transaction);rport", "Max-Forwards: 70",
            "From: \"Bob\" <sip:+12025550123@127.0.0.1>;tag=phone",
            "To: <sip:\(user)@127.0.0.1>" + (toTag.map { ";tag=\($0)" } ?? ""), "Call-ID: \(callID)",
            "CSeq: \(cseq) \(method)", "Contact: <sip:bob@127.0.0.1:\(port)>",
        ]
        lines += headers
        if !body.isEmpty { lines.append("Content-Type: \(type)") }
        lines += ["Content-Length: \(body.utf8.count)", "", body]
        let message = Array(lines.joined(separator: "\r\n").utf8)
        if method == "ACK" { acknowledgement.withLock { $0 = message } }
        try? socket.send(message)
        return transaction
    }

    /// The first answer with that status and CSeq; another final one fails the test.
    func answer(_ status: Int, to cseq: String) async -> SIPText {
        @Sendable func fits(_ text: SIPText) -> Bool {
            text.header("CSeq") == cseq && (text.status == status || (text.status ?? 0) >= 200)
        }
        let answer = await received.wait { $0.contains(where: fits) }.first(where: fits) ?? SIPText("")
        #expect(answer.status == status)
        return answer
    }

    func request(_ method: String) async -> SIPText {
        let all = await received.wait { $0.contains { $0.method == method } }
        return all.first { $0.method == method } ?? SIPText("")
    }

    var finalStatuses: [Int] {
        received.entries.compactMap { $0.header("CSeq") == "1 INVITE" ? $0.status : nil }.filter { $0 >= 200 }
    }

    /// A 200 that comes again has lost its ACK on the way (RFC 3261, section 13.2.2.4).
    private func acknowledgeAgain() {
        if let message = acknowledgement.withLock({ $0 }) { try? socket.send(message) }
    }

    private func accept(_ request: SIPText) {
        if request.method == "BYE", !answersBye.load(ordering: .acquiring) { return }
        var lines = ["SIP/2.0 200 OK"]
        for name in ["Via", "From", "To", "Call-ID", "CSeq"] {
            if let value = request.header(name) { lines.append("\(name): \(value)") }
        }
        lines += ["Content-Length: 0", "", ""]
        try? socket.send(Array(lines.joined(separator: "\r\n").utf8))
    }
}

/// A message, read as far as tests look.
struct SIPText: Sendable {
    let lines: [String]
    let body: String

    init(_ text: String) {
        let parts = text.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
        lines = (parts.first ?? "").split(separator: "\r\n").map(String.init)
        body = parts.count > 1 ? parts[1] : ""
    }

    var isRequest: Bool { lines.first?.hasSuffix("SIP/2.0") ?? false }
    var method: String? { isRequest ? lines.first.map { String($0.prefix { $0 != " " }) } : nil }

    var status: Int? {
        guard let line = lines.first, line.hasPrefix("SIP/2.0 ") else { return nil }
        return Int(line.dropFirst(8).prefix(3))
    }

    func header(_ name: String) -> String? {
        lines.dropFirst().first { $0.lowercased().hasPrefix(name.lowercased() + ":") }.map {
            var value = $0.dropFirst(name.count + 1)
            while value.first == " " { value.removeFirst() }
            return String(value)
        }
    }

    var toTag: String? {
        header("To")?.components(separatedBy: ";tag=").dropFirst().first
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
