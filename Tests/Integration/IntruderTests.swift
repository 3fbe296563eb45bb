import Foundation
import Testing

/// Audio of others stays out of a call.
@Suite struct IntruderTests {
    @Test func whatAnotherSendsToTheCallersPortIsNotInTheMessage() async throws {
        let system = try BellwireSystem()
        try await system.start()
        let callee = try await Subscriber.make(in: system, policy: "decline")
        try await callee.setShortGreeting()
        let path = system.folder.file("440.ul")
        try Tone.raw(frequency: 440, seconds: 1, encode: Tone.muLaw).write(to: URL(fileURLWithPath: path))
        // The relay learns an address from what it hears first: that is the caller's.
        let intruder = Intruder(
            from: BellwireSystem.freshAddress(), to: system.address, frequency: 1900, patience: .milliseconds(3500))
        let call = try await SIPCaller(
            system: system, number: callee.number,
            steps: [.expect(100, optional: true), .expect(200), .acknowledge, .pause(milliseconds: 2000)] + [
                .stream(path: path, payloadType: 0), .pause(milliseconds: 8000), .hangUp,
            ]
        ).start()
        #expect(await call.finish(within: .seconds(40)).status == 0)
        intruder.stop()
        #expect(intruder.packets > 100)
        let audio = try await callee.audio(of: try await callee.voicemail())
        #expect(abs(audio.secondsOfTone(at: 440) - 8) <= 0.2, "\(audio.secondsOfTone(at: 440))")
        #expect(audio.secondsOfTone(at: 1900) == 0)
        try await expectNothingLeft(system)
        await system.stop()
    }
}
