import Observability
import SIP
import Synchronization
import Testing

/// Two endpoints on one address, of which one has lost the right to it.
@Suite(.serialized) struct FenceTests {
    private final class Right: Sendable {
        let isOurs = Atomic<Bool>(true)
        let asked = Atomic<Int>(0)

        var fence: SIPFence {
            SIPFence { [self] in
                asked.wrappingAdd(1, ordering: .relaxed)
                return isOurs.load(ordering: .acquiring)
            }
        }
    }

    private func endpoint(
        port: UInt16 = 0, _ right: Right, _ events: EventLog
    ) async throws -> SIPEndpoint {
        let endpoint = SIPEndpoint(
            host: "127.0.0.1", port: port, userAgent: "Bellwire-Test", fence: right.fence, handler: events,
            timers: .short, logger: Logger(service: "test", instance: "1", level: .error), counters: Counters())
        try await endpoint.start()
        return endpoint
    }

    @Test("Without the right nothing leaves: no answer, no repetition, no farewell; with it again all goes on")
    func nothingLeaves() async throws {
        let right = Right()
        let events = EventLog()
        let endpoint = try await endpoint(right, events)
        let peer = RawPeer(udp: endpoint.port)
        let call = Call(peer: peer, endpoint: endpoint.port)
        peer.send(call.invite())
        let invite = try #require(await events.nextInvite())
        #expect(await peer.receive("SIP/2.0 100") != nil)
        right.isOurs.store(false, ordering: .releasing)
        endpoint.respond(to: invite.transaction, SIPResponse(200, body: .sdp(Callee.description)))
        peer.send(call.request("OPTIONS", cseq: 9))
        let asked = right.asked.load(ordering: .relaxed)
        // 64*T1 is 1.28 s: several repetitions of the 200 are due.
        #expect(await peer.receive(within: 300) == nil)
        #expect(right.asked.load(ordering: .relaxed) > asked + 2)
        right.isOurs.store(true, ordering: .releasing)
        #expect(await peer.receive("SIP/2.0 200")?.header("CSeq") == "1 INVITE")
        endpoint.fallSilent()
        await endpoint.stop()
        while let late = await peer.receive(within: 50) { #expect(late.status == 200) }
    }

    @Test("Over a connection nothing is lost either: what could not be written follows")
    func connection() async throws {
        let right = Right()
        let events = EventLog()
        let endpoint = try await endpoint(right, events)
        let peer = RawPeer(tcp: endpoint.port)
        peer.send(Call(peer: peer, endpoint: endpoint.port).invite())
        let invite = try #require(await events.nextInvite())
        #expect(await peer.receive("SIP/2.0 100") != nil)
        right.isOurs.store(false, ordering: .releasing)
        endpoint.respond(to: invite.transaction, SIPResponse(486))
        #expect(await peer.receive(within: 100) == nil)
        right.isOurs.store(true, ordering: .releasing)
        #expect(await peer.receive("SIP/2.0 486") != nil)
        await endpoint.stop()
    }

    @Test("What was sent before TCP came is cancelled by the address that it was sent from")
    func cancelledOnceTCPCame() async throws {
        let right = Right()
        let log = EventLog()
        let old = try await endpoint(right, EventLog())
        let new = try await endpoint(port: old.port, right, log)
        let callee = Callee(of: new.port)
        let state = new.prepare(callee.invite())
        new.invite(state)
        let invite = try #require(await callee.request("INVITE"))
        callee.answer("180 Ringing", to: invite, tag: "s")
        #expect(try await log.nextAnswer().status == 180)
        await old.stop()
        while RawPeer(connecting: new.port) == nil { try await Task.sleep(for: .milliseconds(50)) }
        new.cancel(state.id)
        let cancel = try #require(await callee.request("CANCEL"))
        #expect(cancel.header("Via") == invite.header("Via"))
        await new.stop()
    }

    @Test("Whoever takes the address over hears everybody at once, over TCP once the other has closed")
    func takeover() async throws {
        let (lost, ours) = (Right(), Right())
        let (oldEvents, newEvents) = (EventLog(), EventLog())
        let old = try await endpoint(lost, oldEvents)
        let port = old.port
        lost.isOurs.store(false, ordering: .releasing)
        let new = try await endpoint(port: port, ours, newEvents)
        let peer = RawPeer(udp: port)
        for index in 0..<20 {
            peer.send(Call(peer: peer, endpoint: port).request("OPTIONS", cseq: index + 1))
            #expect(await peer.answer(to: "\(index + 1) OPTIONS")?.status == 200)
        }
        #expect(oldEvents.unread == 0)
        await old.stop()
        var answer: String?
        for _ in 0..<40 where answer == nil {
            guard let stream = RawPeer(connecting: port) else {
                _ = await peer.receive(within: 100)
                continue
            }
            stream.send(Call(peer: stream, endpoint: port).request("OPTIONS", cseq: 1))
            answer = await stream.receive("SIP/2.0 200")
        }
        #expect(answer != nil)
        await new.stop()
    }
}
