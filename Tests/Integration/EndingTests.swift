import Foundation
import Testing

/// How calls and messages end.
@Suite(.serialized) struct EndingTests {
    private static let system = SharedSystem()

    private let answered: [SIPCaller.Step] = [.expect(100, optional: true), .expect(200), .acknowledge]

    private func callee(policy: String = "decline", ringSeconds: Int = 1) async throws -> Subscriber {
        let callee = try await Subscriber.make(
            in: try await Self.system.value, ringSeconds: ringSeconds, policy: policy)
        try await callee.setShortGreeting()
        return callee
    }

    /// The call is over and left this record and nothing else.
    private func expectRecord(_ callee: Subscriber, reason: String) async throws {
        let record = try await eventually("the final record") {
            try await callee.records.first { $0["state"] as? String == "unanswered" }
        }
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == reason)
        #expect(record["durationSeconds"] as? Int == 0)
        #expect(try await callee.records.count == 1)
    }

    private func tone(_ system: BellwireSystem, _ frequency: Int) throws -> String {
        let path = system.folder.file("\(frequency).ul")
        try Tone.raw(frequency: Double(frequency), seconds: 1, encode: Tone.muLaw).write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test func theCallerGivesUpWhileItRings() async throws {
        let callee = try await callee(policy: "allDevices", ringSeconds: 60)
        try await SIPCaller(
            system: callee.system, number: callee.number,
            steps: [.expect(100, optional: true), .expect(180), .pause(milliseconds: 500), .cancel]
        ).run()
        try await expectRecord(callee, reason: "callerCancelled")
        #expect(try await callee.voicemails.isEmpty)
        try await expectNothingLeft(callee.system)
    }

    @Test func theCallerHangsUpInTheGreeting() async throws {
        let callee = try await callee()
        try await SIPCaller(
            system: callee.system, number: callee.number, steps: answered + [.pause(milliseconds: 300), .hangUp]
        ).run()
        try await expectRecord(callee, reason: "declined")
        try await expectNothingLeft(callee.system)
        #expect(try await callee.voicemails.isEmpty)
    }

    @Test func hashEndsTheMessage() async throws {
        let callee = try await callee()
        var caller = SIPCaller(
            system: callee.system, number: callee.number,
            steps: answered + [
                .pause(milliseconds: 2000), .capture(path: "/usr/share/sip-tester/g711a.pcap"),
                .pause(milliseconds: 4000),
                .capture(path: "/usr/share/sip-tester/dtmf_2833_pound.pcap"), .awaitHangUp,
            ])
        caller.payloads = "8 101"
        caller.attributes = ["rtpmap:8 PCMA/8000", "rtpmap:101 telephone-event/8000", "fmtp:101 0-15"]
        try await caller.run(within: .seconds(30))
        let audio = try await callee.audio(of: try await callee.voicemail())
        #expect((3.0...8.0).contains(audio.seconds), "\(audio.seconds)")
        try await expectNothingLeft(callee.system)
    }

    @Test func tenSecondsOfSilenceEndTheMessage() async throws {
        let callee = try await callee()
        let silence = callee.system.folder.file("silence.ul")
        try Data(repeating: 0xFF, count: 8000).write(to: URL(fileURLWithPath: silence))
        let tone = try tone(callee.system, 500)
        // sipp streams one file at a time; the second call of the action takes over.
        try await SIPCaller(
            system: callee.system, number: callee.number,
            steps: answered + [
                .pause(milliseconds: 2000), .stream(path: tone, payloadType: 0), .pause(milliseconds: 3000),
                .stream(path: silence, payloadType: 0), .awaitHangUp,
            ]
        ).run(within: .seconds(40))
        let audio = try await callee.audio(of: try await callee.voicemail())
        // sipp changes from one file to the other at a tick of its own.
        #expect(abs(audio.secondsOfTone(at: 500) - 3) <= 0.2, "\(audio.secondsOfTone(at: 500))")
        #expect((12.5...14.0).contains(audio.seconds), "\(audio.seconds)")
    }

    @Test func aGapIsFilledWithSilence() async throws {
        let callee = try await callee()
        let tone = try tone(callee.system, 700)
        try await SIPCaller(
            system: callee.system, number: callee.number,
            steps: answered + [
                .pause(milliseconds: 2000), .stream(path: tone, payloadType: 0), .pause(milliseconds: 20_000),
                .pauseStream,
                .pause(milliseconds: 10_000), .resumeStream, .pause(milliseconds: 20_000), .hangUp,
            ]
        ).run()
        let voicemail = try await callee.voicemail()
        let audio = try await callee.audio(of: voicemail)
        #expect(audio.seconds.isWithin100Milliseconds(of: 50), "\(audio.seconds)")
        #expect(abs(audio.secondsOfTone(at: 700) - 40) <= 0.2, "\(audio.secondsOfTone(at: 700))")
        #expect(voicemail["durationSeconds"] as? Int == 50)
    }

    @Test func theLimitEndsTheMessage() async throws {
        let system = try BellwireSystem(settings: ["BELLWIRE_VOICEMAIL_MAXIMUM_SECONDS": "5"])
        try await system.start()
        let callee = try await Subscriber.make(in: system, policy: "decline")
        try await callee.setShortGreeting()
        let tone = try tone(system, 900)
        try await SIPCaller(
            system: system, number: callee.number,
            steps: answered + [.stream(path: tone, payloadType: 0), .awaitHangUp]
        ).run(within: .seconds(30))
        let audio = try await callee.audio(of: try await callee.voicemail())
        #expect(audio.seconds.isWithin100Milliseconds(of: 5), "\(audio.seconds)")
        try await expectNothingLeft(system)
        await system.stop()
    }

    @Test func twentyCallersAreNotMixedUp() async throws {
        let system = try await Self.system.value
        // What the first call opens for good is not counted.
        try await callers(1, in: system)
        let before = try await openDescriptors(system)
        #expect(before.count == 5)
        try await callers(20, in: system)
        _ = try await eventually("the descriptors of before") { () -> Bool? in
            try await openDescriptors(system).allSatisfy { $1 <= before[$0] ?? 0 } ? true : nil
        }
    }
}

/// Many calls at once, each with a tone and a callee of its own.
func callers(_ count: Int, in system: BellwireSystem) async throws {
    var callees: [(Subscriber, Double)] = []
    for index in 0..<count {
        let callee = try await Subscriber.make(in: system, ringSeconds: 1)
        try await callee.setShortGreeting()
        callees.append((callee, 300 + 25 * Double(index % 100)))
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
        for (callee, frequency) in callees {
            let path = system.folder.file("\(Int(frequency)).ul")
            try Tone.raw(frequency: frequency, seconds: 1, encode: Tone.muLaw).write(to: URL(fileURLWithPath: path))
            group.addTask {
                try await SIPCaller(
                    system: system, number: callee.number,
                    steps: [
                        .expect(100, optional: true), .expect(180), .expect(200), .acknowledge,
                        .pause(milliseconds: 3000),
                        .stream(path: path, payloadType: 0), .pause(milliseconds: 5000), .hangUp,
                    ]
                ).run()
            }
        }
        try await group.waitForAll()
    }
    for (callee, frequency) in callees {
        let audio = try await callee.audio(of: try await callee.voicemail())
        #expect(
            abs(audio.secondsOfTone(at: frequency) - 5) <= 0.15,
            "\(frequency) Hz: \(audio.secondsOfTone(at: frequency)) s of \(audio.seconds)")
        #expect(try await callee.voicemails.count == 1)
    }
    try await expectNothingLeft(system)
}
