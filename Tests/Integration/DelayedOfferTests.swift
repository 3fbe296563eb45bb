import Foundation
import Testing

/// Callers whose INVITE makes no offer, as gateways do: they answer ours in the ACK.
@Suite(.serialized) struct DelayedOfferTests {
    private static let system = SharedSystem()

    private func call(
        _ callee: Subscriber, frequency: Double, _ middle: [SIPCaller.Step], end: [SIPCaller.Step] = [.hangUp]
    ) throws -> SIPCaller {
        let path = callee.system.folder.file("\(Int(frequency)).ul")
        try Tone.raw(frequency: frequency, seconds: 1, encode: Tone.muLaw).write(to: URL(fileURLWithPath: path))
        var caller = SIPCaller(
            system: callee.system, number: callee.number,
            steps: [.expect(100, optional: true), .expect(180, optional: true), .expect(200), .acknowledgeWithAnswer]
                + [.stream(path: path, payloadType: 0)] + middle + end)
        caller.offers = false
        return caller
    }

    @Test func theyLeaveAMessage() async throws {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system, policy: "decline")
        try await callee.setShortGreeting()
        try await call(callee, frequency: 440, [.pause(milliseconds: 6000)]).run()
        let audio = try await callee.audio(of: try await callee.voicemail())
        #expect(audio.secondsOfTone(at: 440) > 3, "\(audio.secondsOfTone(at: 440))")
        try await expectNothingLeft(system)
    }

    @Test func theyTalkToAPhone() async throws {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system, ringSeconds: 60)
        let microphone = system.folder.file("silence.wav")
        try Tone.wav(frequency: 800, seconds: 30, rate: 8000).write(to: URL(fileURLWithPath: microphone))
        let phone = try await BaresipPhone(in: system.folder, microphone: microphone, seconds: 10)
        try await callee.add(phone: phone.uri)
        try await call(callee, frequency: 440, [.pause(milliseconds: 5000)]).run()
        let heard = try await phone.heard()
        #expect(heard.received.secondsOfTone(at: 440) > 3, "\(heard.received.secondsOfTone(at: 440))")
        let record = try await callee.record("completed")
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == "callerHungUp")
        try await expectNothingLeft(system)
    }

    @Test func withoutAnAnswerTheyAreHungUpOn() async throws {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system, policy: "decline")
        var caller = SIPCaller(
            system: system, number: callee.number,
            steps: [.expect(100, optional: true), .expect(200), .acknowledge, .awaitHangUp])
        caller.offers = false
        try await caller.run()
        try await expectNothingLeft(system)
    }
}
