import Foundation
import Observability
import SIP
import Testing

/// Sockets: sizes, segments, addresses in use, start and stop.
@Suite(.serialized) struct TransportTests {
    @Test("A large INVITE over UDP arrives whole", arguments: [9_000, 30_000, 60_000])
    func largeDatagram(size: Int) async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            let body = Call.offer + String(repeating: "a=x:0123456789\r\n", count: size / 16)
            peer.send(Call(peer: peer, endpoint: harness.endpoint.port).invite(body: body))
            let invite = try #require(await harness.events.nextInvite())
            #expect(invite.body?.bytes == Array(body.utf8))
            harness.endpoint.respond(to: invite.transaction, SIPResponse(200, body: invite.body))
            #expect(await peer.receive("SIP/2.0 200")?.hasSuffix(body) == true)
        }
    }

    @Test("TCP: one byte at a time, and two requests in one segment")
    func segmentation() async throws {
        try await Harness.run { harness in
            let slow = RawPeer(tcp: harness.endpoint.port)
            var flag: Int32 = 1
            setsockopt(slow.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &flag, socklen_t(MemoryLayout<Int32>.size))
            for byte in Call(peer: slow, endpoint: harness.endpoint.port).invite().utf8 { slow.send([byte]) }
            let invite = try #require(await harness.events.nextInvite())
            #expect(invite.body?.bytes == Array(Call.offer.utf8))

            let quick = RawPeer(tcp: harness.endpoint.port)
            let first = Call(peer: quick, endpoint: harness.endpoint.port)
            let second = Call(peer: quick, endpoint: harness.endpoint.port)
            quick.send("\r\n\r\n" + first.invite() + second.invite())
            #expect(await harness.events.nextInvite()?.callID == first.callID)
            #expect(await harness.events.nextInvite()?.callID == second.callID)
        }
    }

    @Test("TCP: a connection without a call is kept; a keep-alive gets its pong (RFC 5626 section 3.5.1)")
    func keepAlive() async throws {
        try await Harness.run { harness in
            let peer = RawPeer(tcp: harness.endpoint.port)
            for _ in 0..<2 {
                peer.send("\r\n\r\n")
                #expect(await peer.receive() == "\r\n")
                peer.send(Call(peer: peer, endpoint: harness.endpoint.port).request("OPTIONS", cseq: 1))
                #expect(await peer.receive("SIP/2.0 200") != nil)
            }
        }
    }

    @Test("UDP: STUN and SigComp are not answered, and counted as what cannot be read", arguments: [0x00, 0x01, 0xF8])
    func otherProtocols(first: UInt8) async throws {
        try await Harness.run { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            // A Binding request (RFC 8489 section 5), but for its first octet.
            peer.send([first, 0x01, 0x00, 0x00, 0x21, 0x12, 0xA4, 0x42] + Array(repeating: 7, count: 12))
            peer.send(Call(peer: peer, endpoint: harness.endpoint.port).request("OPTIONS", cseq: 1))
            #expect(await peer.receive()?.status == 200)
            _ = await harness.endpoint.statistics()
            #expect(harness.count("sip_malformed_total", ["outcome": "dropped"]) == 1)
        }
    }

    @Test("A caller's connection that closes leaves nothing behind once the call is over")
    func closedConnection() async throws {
        try await Harness.run { harness in
            var peer: RawPeer? = RawPeer(tcp: harness.endpoint.port)
            let call = try Call(peer: #require(peer), endpoint: harness.endpoint.port)
            peer?.send(call.invite())
            let invite = try #require(await harness.events.nextInvite())
            shutdown(call.peer.descriptor, Int32(SHUT_RDWR))
            peer = nil
            harness.endpoint.respond(to: invite.transaction, SIPResponse(480))
            #expect(await harness.statisticsAtRest() == SIPStatistics())
        }
    }

    @Test(
        "A Via that leads nowhere costs the endpoint nothing",
        arguments: [
            "maddr=255.255.255.255", "maddr=0.0.0.0", "maddr=240.0.0.1", "maddr=nowhere.invalid",
            "maddr=224.0.0.1;ttl=1", "rport=0",
            "received=255.255.255.255", "comp=sigcomp",
        ])
    func unreachableVia(parameter: String) async throws {
        let answer: Harness.Reaction = { event, endpoint in
            if case .invite(let invite) = event { endpoint.respond(to: invite.transaction, SIPResponse(486)) }
            if case .failed(_, let dialog, _) = event { endpoint.forget(dialog) }
        }
        try await Harness.run(timers: .shortest, reaction: answer) { harness in
            let peer = RawPeer(udp: harness.endpoint.port)
            for port in ["\(peer.port)", "0", "99999"] {
                for _ in 0..<50 {
                    let call = Call(peer: peer, endpoint: harness.endpoint.port)
                    let branch = "z9hG4bK\(call.callID)"
                    func lost(_ message: String) -> String {
                        message.replacing(
                            "127.0.0.1:\(peer.port);branch", with: "127.0.0.1:\(port);\(parameter);branch"
                        )
                        .replacing(";rport", with: "")
                    }
                    peer.send(lost(call.request("INVITE", cseq: 1, branch: branch)))
                    for _ in 0..<3 { peer.send(lost(call.request("ACK", cseq: 1, toTag: "x", branch: branch))) }
                    peer.send(lost(call.request("CANCEL", cseq: 1, branch: branch)))
                }
            }
            #expect(await harness.statisticsAtRest() == SIPStatistics())
            let next = RawPeer(udp: harness.endpoint.port)
            next.send(Call(peer: next, endpoint: harness.endpoint.port).request("OPTIONS", cseq: 1))
            #expect(await next.receive("SIP/2.0 200") != nil)
        }
    }

    @Test("A port in use is named in the error, for UDP and TCP", arguments: SIPTransport.allCases)
    func addressInUse(transport: SIPTransport) async throws {
        let taken = socket(AF_INET, Int32((transport == .udp ? SOCK_DGRAM : SOCK_STREAM).rawValue), 0)
        defer { close(taken) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #expect(bind(taken, $0, length) == 0)
                getsockname(taken, $0, &length)
            }
        }
        if transport == .tcp { listen(taken, 1) }
        let port = UInt16(bigEndian: address.sin_port)
        let endpoint = SIPEndpoint(
            host: "127.0.0.1", port: port, userAgent: "x", handler: EventLog(),
            logger: Logger(service: "test", instance: "1", level: .error), counters: Counters())
        let error = await #expect(throws: SIPError.self) { try await endpoint.start() }
        #expect(
            error == .cannotBind(transport: transport, host: "127.0.0.1", port: port, reason: "Address already in use"))
        #expect(error?.description.contains("\(transport.rawValue) 127.0.0.1:\(port)") == true)
    }

    @Test("An address that is not this machine's is an error, not a crash")
    func foreignAddress() async throws {
        let endpoint = SIPEndpoint(
            host: "192.0.2.1", port: 5060, userAgent: "x", handler: EventLog(),
            logger: Logger(service: "test", instance: "1", level: .error), counters: Counters())
        await #expect(throws: SIPError.self) { try await endpoint.start() }
    }

    @Test("Start and stop leave no descriptor and no thread, open calls included; the port is free at once")
    func startAndStop() async {
        // In a process of its own: it counts what the process holds.
        await #expect(processExitsWith: .success) {
            var port = await unsharedPort()
            var held = (descriptors: 0, sipThreads: 0)
            for round in 0..<20 {
                port = try await oneRound(port: port)
                if round == 2 { held = holdings() }
            }
            var end = holdings()
            // A thread that was joined stands in /proc until the kernel has put it away, and a peer's socket is open until
            // the thread that read from it has ended.
            for _ in 0..<1000 where end.sipThreads > 0 || end.descriptors > held.descriptors {
                usleep(1000)
                end = holdings()
            }
            require(end.descriptors <= held.descriptors, "\(end.descriptors) descriptors, \(held.descriptors) before")
            require(end.sipThreads == 0, "\(end.sipThreads) threads")
        }
    }

    @Test("An endpoint that was stopped is released with its handler")
    func released() async throws {
        weak var endpoint: SIPEndpoint?
        weak var handler: EventLog?
        do {
            let harness = try await Harness()
            endpoint = harness.endpoint
            handler = harness.events
            await harness.endpoint.stop()
        }
        #expect(endpoint == nil)
        #expect(handler == nil)
    }
}

/// A free port below those that the kernel hands out, so that nobody takes it between two rounds.
private func unsharedPort() async -> UInt16 {
    while true {
        let port = UInt16.random(in: 10_000..<16_000)
        let endpoint = SIPEndpoint(
            host: "127.0.0.1", port: port, userAgent: "x", handler: EventLog(),
            logger: Logger(service: "test", instance: "1", level: .error), counters: Counters())
        guard (try? await endpoint.start()) != nil else { continue }
        await endpoint.stop()
        return port
    }
}

/// Starts, opens a call over UDP and one over TCP, stops; gives the port.
private func oneRound(port wanted: UInt16) async throws -> UInt16 {
    let log = EventLog()
    let endpoint = SIPEndpoint(
        host: "127.0.0.1", port: wanted, userAgent: "x", handler: log,
        logger: Logger(service: "test", instance: "1", level: .error), counters: Counters())
    try await endpoint.start()
    let port = endpoint.port
    let udp = RawPeer(udp: port)
    let tcp = RawPeer(tcp: port)
    for peer in [udp, tcp] {
        peer.send(Call(peer: peer, endpoint: port).invite())
        guard await log.nextInvite() != nil else { fail("no INVITE") }
    }
    await endpoint.stop()
    guard await udp.receive("SIP/2.0 503") != nil else { fail("no 503") }
    await endpoint.stop()
    guard await endpoint.statistics() == SIPStatistics() else { fail("not at rest") }
    return port
}

/// Ends a process of its own with a word about why.
private func fail(_ problem: String) -> Never {
    FileHandle.standardError.write(Data("\(problem)\n".utf8))
    exit(1)
}

private func require(_ holds: Bool, _ problem: @autoclosure () -> String) {
    if !holds { fail(problem()) }
}

/// What this process holds open.
private func holdings() -> (descriptors: Int, sipThreads: Int) {
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let sip = tasks.count { (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8)) == "sip\n" }
    return (descriptors.count, sip)
}
