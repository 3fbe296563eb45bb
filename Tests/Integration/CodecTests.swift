import Foundation
import Testing

/// Messages in every codec, from clients nobody here wrote.
@Suite(.serialized) struct CodecTests {
    private static let system = SharedSystem()

    @Test func aLawFromSipp() async throws {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system, policy: "decline")
        try await callee.setShortGreeting()
        let tone = system.folder.file("600.al")
        try Tone.raw(frequency: 600, seconds: 1, encode: Tone.aLaw).write(to: URL(fileURLWithPath: tone))
        var caller = SIPCaller(
            system: system, number: callee.number,
            steps: [
                .expect(100, optional: true), .expect(200), .acknowledge, .pause(milliseconds: 2500),
                .stream(path: tone, payloadType: 8), .pause(milliseconds: 3000), .hangUp,
            ])
        caller.payloads = "8 101"
        caller.attributes = ["rtpmap:8 PCMA/8000", "rtpmap:101 telephone-event/8000", "fmtp:101 0-16"]
        try await caller.run()
        let audio = try await callee.audio(of: try await callee.voicemail())
        #expect(audio.rate == 8000)
        #expect(audio.secondsOfTone(at: 600).isWithin100Milliseconds(of: 3), "\(audio.secondsOfTone(at: 600))")
    }

    @Test(arguments: ["pcmu", "pcma", "opus"]) func baresipLeavesAMessage(codec: String) async throws {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system)
        try await callee.setShortGreeting()
        let microphone = system.folder.file("microphone-\(codec).wav")
        // What the codec takes is what baresip wants its microphone to be.
        let (rate, channels) = codec == "opus" ? (48_000, 2) : (8000, 1)
        try Tone.wav(frequency: 800, seconds: 20, rate: rate, channels: channels).write(
            to: URL(fileURLWithPath: microphone))
        let heard = try await Baresip(
            system: system, number: callee.number, microphone: microphone, codec: codec, seconds: 9
        ).run()
        let audio = try await callee.audio(of: try await callee.voicemail())
        #expect(audio.rate == (codec == "opus" ? 16_000 : 8000))
        #expect(audio.seconds > 3)
        #expect(
            audio.secondsOfTone(at: 800).isWithin100Milliseconds(of: audio.seconds),
            "\(audio.secondsOfTone(at: 800)) of \(audio.seconds)")
        // The greeting, which is a tone here, was heard; what was sent behind the beep is what was kept. baresip's two
        // files begin within its playout delay of each other.
        #expect(heard.received.secondsOfTone(at: 300).isWithin100Milliseconds(of: 0.5))
        let beep = heard.received.blocks(at: 1000).lastIndex { $0 > 0.8 }
        let sent = heard.sent.seconds - Double(try #require(beep) + 1) * 0.02
        #expect(abs(audio.seconds - sent) <= 0.3, "\(audio.seconds) s kept, \(sent) s sent behind the beep")
    }
}
