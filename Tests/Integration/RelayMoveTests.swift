import Foundation
import Testing

/// Of two relays the one that carries a call dies: the call goes on through the other.
@Suite(.serialized) struct RelayMoveTests {
    private static let system = SharedSystem { address in
        ["BELLWIRE_RTPENGINE": "\(address):2223,\(address):2225"]
    }

    private struct Heard {
        let caller: Recording
        let callee: Recording
    }

    /// Two phones that sing to each other for twelve seconds; after the third something happens.
    private func talk(_ happening: (BellwireSystem) async throws -> Void) async throws -> (Subscriber, Heard) {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system, ringSeconds: 60)
        let low = system.folder.file("low.wav")
        let high = system.folder.file("high.wav")
        try Tone.wav(frequency: 400, seconds: 60, rate: 8000).write(to: URL(fileURLWithPath: low))
        try Tone.wav(frequency: 800, seconds: 60, rate: 8000).write(to: URL(fileURLWithPath: high))
        let phone = try await BaresipPhone(in: system.folder, microphone: low, seconds: 22)
        try await callee.add(phone: phone.uri)
        async let call = Baresip(system: system, number: callee.number, microphone: high, seconds: 17).run()
        _ = try await callee.record("answered")
        try await Task.sleep(for: .seconds(2))
        try await happening(system)
        let caller = try await call
        let heard = try await phone.heard()
        return (callee, Heard(caller: caller.received, callee: heard.received))
    }

    /// The relay that the call is at: the one with more sockets.
    private func relay(_ system: BellwireSystem) throws -> Int {
        let sockets = try [2223, 2225].map { try system.relaySockets(port: $0) }
        try #require(sockets[0] != sockets[1], "\(sockets)")
        return sockets[0] > sockets[1] ? 2223 : 2225
    }

    /// What a phone wrote down has no time without packets, so that what it did not hear is what is missing.
    ///
    /// - Parameter missing: seconds of the seventeen that the caller stayed, the call's set-up included.
    private func expect(_ heard: Heard, missing: Double) {
        for (recording, frequency) in [(heard.caller, 400.0), (heard.callee, 800.0)] {
            let tone = recording.secondsOfTone(at: frequency)
            #expect(tone > 17 - missing, "\(tone) s of tone")
        }
    }

    @Test func bothSidesHearEachOtherAgain() async throws {
        let (callee, heard) = try await talk { system in try system.killRelay(port: try relay(system)) }
        expect(heard, missing: 7)
        let record = try await callee.record("completed")
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == "callerHungUp")
        #expect(try await callee.system.count("calls_moved_total") >= 1)
        try await expectNothingLeft(callee.system)
    }

    @Test func alsoWhenTheProcessThatCarriesTheCallDiesWithTheRelay() async throws {
        let (callee, heard) = try await talk { system in
            try system.killRelay(port: try relay(system))
            try await system.kill("calls")
        }
        expect(heard, missing: 9)
        let record = try await callee.record("completed")
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == "callerHungUp")
        try await expectNothingLeft(callee.system)
    }

    @Test func aMessageGoesOnToo() async throws {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system, policy: "decline")
        try await callee.setShortGreeting()
        let high = system.folder.file("high.wav")
        try Tone.wav(frequency: 800, seconds: 60, rate: 8000).write(to: URL(fileURLWithPath: high))
        async let call = Baresip(system: system, number: callee.number, microphone: high, seconds: 16).run()
        _ = try await callee.record("unanswered")
        try await Task.sleep(for: .seconds(4))
        try system.killRelay(port: try relay(system))
        _ = try await call
        let voicemail = try await eventually("the whole message", within: .seconds(30)) {
            try await callee.voicemails.first { ($0["durationSeconds"] as? Int ?? 0) >= 7 }
        }
        #expect(try await callee.audio(of: voicemail).secondsOfTone(at: 800) > 7)
        #expect(try await callee.voicemails.count == 1)
        try await expectNothingLeft(system)
    }
}
