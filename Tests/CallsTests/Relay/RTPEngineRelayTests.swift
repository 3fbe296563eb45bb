import CallsCore
import Domain
import Foundation
import Observability
import Testing

/// Against the real rtpengine.
@Suite("The rtpengine relay", .serialized)
struct RTPEngineRelayTests {
    private static func relay(
        port: UInt16, deadline: Duration = .seconds(2), counters: Counters = Counters()
    ) throws -> RTPEngineRelay {
        try RTPEngineRelay(
            host: "127.0.0.1", port: port, requestDeadline: deadline,
            logger: Logger(service: "calls", instance: "test", level: .error, sink: MemorySink()), counters: counters)
    }

    @Test("joins two sides, knows the session, and forgets it")
    func session() async throws {
        let engine = try await RTPEngineProcess()
        let relay = try RTPEngineRelayTests.relay(port: engine.port)
        try await relay.start()
        var isReady = await relay.isReady()
        for _ in 0..<20 where !isReady { isReady = await relay.isReady() }
        #expect(isReady)

        let call = BellwireID.make(slot: 3)
        let session = RelaySession(call: call, callerTag: "caller", calleeTag: "callee")
        let offer = try await relay.offer(SampleSDP.offer(), for: session)
        #expect(offer.contains("m=audio ") && !offer.contains("m=audio 6000 "))
        let answer = try await relay.answer(SampleSDP.offer(port: 6002), for: session)
        #expect(answer.contains("m=audio ") && !answer.contains("m=audio 6002 "))
        #expect(try await relay.packets(of: call) == 0)
        #expect(try await relay.sessions() == [call])

        // A re-offer keeps the ports that the sides already send to.
        let again = try await relay.offer(SampleSDP.offer(direction: "sendonly"), for: session)
        #expect(MediaLine(again) == MediaLine(offer))
        #expect(again.contains("a=sendonly"))
        // So does one from another address.
        for session in [session, session.established] {
            let moved = try await relay.offer(SampleSDP.offer(port: 6004), for: session)
            #expect(MediaLine(moved) == MediaLine(offer))
            let answered = try await relay.answer(SampleSDP.offer(port: 6002), for: session)
            #expect(MediaLine(answered) == MediaLine(answer))
        }

        try await relay.delete(call)
        #expect(try await relay.packets(of: call) == nil)
        #expect(try await relay.sessions().isEmpty)
        try await relay.delete(call)
        await relay.stop()
        await engine.end()
    }

    @Test("does not answer an unknown session, and refuses nonsense")
    func refused() async throws {
        let engine = try await RTPEngineProcess()
        let relay = try RTPEngineRelayTests.relay(port: engine.port)
        try await relay.start()
        var isReady = false
        for _ in 0..<20 where !isReady { isReady = await relay.isReady() }
        let session = RelaySession(call: .make(), callerTag: "a", calleeTag: "b")
        await #expect(throws: RelayError.unknownSession) {
            try await relay.answer(SampleSDP.offer(), for: session)
        }
        await #expect(throws: RelayError.refused) { try await relay.offer("no description", for: session) }
        await relay.stop()
        await engine.end()
    }

    @Test("is not ready without an rtpengine, and is again once there is one")
    func absent() async throws {
        let counters = Counters()
        let port = RTPEngineProcess.anyPort()
        let relay = try RTPEngineRelayTests.relay(port: port, deadline: .milliseconds(300), counters: counters)
        try await relay.start()
        #expect(await !relay.isReady())
        let session = RelaySession(call: .make(), callerTag: "a", calleeTag: "b")
        await #expect(throws: RelayError.unreachable) { try await relay.offer(SampleSDP.offer(), for: session) }
        #expect(counters.counter("relay_request_repetitions_total").value > 0)

        let engine = try await RTPEngineProcess(port: port)
        var isReady = false
        for _ in 0..<20 where !isReady { isReady = await relay.isReady() }
        #expect(isReady)
        await engine.end()
        #expect(await !relay.isReady())
        await relay.stop()
    }

    @Test("a stopped relay fails what waits")
    func stopped() async throws {
        let relay = try RTPEngineRelayTests.relay(port: RTPEngineProcess.anyPort(), deadline: .seconds(30))
        try await relay.start()
        let asked = Task { try await relay.packets(of: .make()) }
        await relay.stop()
        await #expect(throws: RelayError.stopped) { try await asked.value }
    }
}

/// The port and payload types of the audio line.
private struct MediaLine: Equatable {
    let text: String?

    init(_ sdp: String) {
        text = sdp.split(separator: "\r\n").first { $0.hasPrefix("m=audio") }.map(String.init)
    }
}
