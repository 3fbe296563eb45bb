import Foundation
import Testing

/// Calls that SIP phones take: who hears what, who hangs up, what the records say.
@Suite(.serialized) struct PhoneCallTests {
    private static let system = SharedSystem()

    private let ringing: [SIPCaller.Step] = [.expect(100, optional: true), .expect(180)]
    private let answered: [SIPCaller.Step] = [
        .expect(100, optional: true), .expect(180, optional: true), .expect(200), .acknowledge,
    ]

    private func callee(ringSeconds: Int = 60) async throws -> Subscriber {
        try await Subscriber.make(in: try await Self.system.value, ringSeconds: ringSeconds)
    }

    private func expectCompleted(
        _ owner: Subscriber, reason: String, seconds: ClosedRange<Int>, direction: String = "inbound"
    ) async throws -> [String: Any] {
        let record = try await owner.record("completed")
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == reason)
        #expect(seconds.contains(record["durationSeconds"] as? Int ?? -1), "\(record)")
        #expect(record["direction"] as? String == direction)
        #expect(try await owner.records.count == 1)
        #expect(try await owner.voicemails.isEmpty)
        return record
    }

    @Test func bothSidesHearEachOther() async throws {
        let system = try await Self.system.value
        let callee = try await callee()
        let low = system.folder.file("low.wav")
        let high = system.folder.file("high.wav")
        try Tone.wav(frequency: 400, seconds: 30, rate: 8000).write(to: URL(fileURLWithPath: low))
        try Tone.wav(frequency: 800, seconds: 30, rate: 8000).write(to: URL(fileURLWithPath: high))
        let phone = try await BaresipPhone(in: system.folder, microphone: low, seconds: 10)
        try await callee.add(phone: phone.uri)
        let caller = try await Baresip(system: system, number: callee.number, microphone: high, seconds: 6).run()
        let heard = try await phone.heard()
        #expect(caller.received.secondsOfTone(at: 400) > 3.5, "\(caller.received.secondsOfTone(at: 400))")
        #expect(heard.received.secondsOfTone(at: 800) > 3.5, "\(heard.received.secondsOfTone(at: 800))")
        let record = try await expectCompleted(callee, reason: "callerHungUp", seconds: 4...7)
        #expect(record["localPhoneNumber"] as? String == callee.number)
        try await expectNothingLeft(system)
    }

    @Test func thePhoneHangsUp() async throws {
        let callee = try await callee()
        let phone = SIPPhone(
            in: callee.system.folder,
            steps: [.respond(180), .pause(milliseconds: 300), .answer, .pause(milliseconds: 2000), .hangUp])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        try await SIPCaller(
            system: callee.system, number: callee.number,
            steps: ringing + [.expect(200), .acknowledge, .awaitHangUp]
        ).run()
        let output = await program.finish()
        #expect(output.status == 0, "\(output.standardError)\(phone.log)")
        _ = try await expectCompleted(callee, reason: "calleeHungUp", seconds: 2...3)
        try await expectNothingLeft(callee.system)
    }

    @Test func allPhonesRingAndTheFirstAnswerWins() async throws {
        let callee = try await callee()
        let folder = callee.system.folder
        let slow = SIPPhone(in: folder, steps: [.respond(180), .awaitCancel])
        let refusing = SIPPhone(in: folder, steps: [.respond(180), .respond(603)])
        let quick = SIPPhone(
            in: folder, steps: [.respond(180), .pause(milliseconds: 1000), .answer, .awaitHangUp])
        var programs: [Program] = []
        for phone in [slow, refusing, quick] {
            programs.append(try await phone.start())
            try await callee.add(phone: phone.uri)
        }
        try await SIPCaller(
            system: callee.system, number: callee.number,
            steps: ringing + [.expect(200), .acknowledge, .pause(milliseconds: 1000), .hangUp]
        ).run()
        for program in programs {
            let output = await program.finish(within: .seconds(30))
            #expect(output.status == 0, "\(output.standardError)")
        }
        #expect(slow.log.contains("Reason: SIP;cause=200"), "\(slow.log)")
        _ = try await expectCompleted(callee, reason: "callerHungUp", seconds: 1...2)
        try await expectNothingLeft(callee.system)
    }

    @Test func everyPhoneRefusesAndTheCallerLeavesAMessage() async throws {
        let callee = try await callee()
        try await callee.setShortGreeting()
        let busy = SIPPhone(in: callee.system.folder, steps: [.respond(486)])
        let declining = SIPPhone(in: callee.system.folder, steps: [.respond(180), .respond(603)])
        var programs: [Program] = []
        for phone in [busy, declining] {
            programs.append(try await phone.start())
            try await callee.add(phone: phone.uri)
        }
        let tone = callee.system.folder.file("440.ul")
        try Tone.raw(frequency: 440, seconds: 1, encode: Tone.muLaw).write(to: URL(fileURLWithPath: tone))
        try await SIPCaller(
            system: callee.system, number: callee.number,
            steps: answered + [.stream(path: tone, payloadType: 0), .pause(milliseconds: 5000), .hangUp]
        ).run()
        for program in programs { _ = await program.finish(within: .seconds(20)) }
        let record = try await callee.record("unanswered")
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == "declined")
        #expect(try await callee.audio(of: try await callee.voicemail()).secondsOfTone(at: 440) > 2)
        try await expectNothingLeft(callee.system)
    }

    @Test func theCallerGivesUpAndThePhoneFallsSilent() async throws {
        let callee = try await callee()
        let phone = SIPPhone(in: callee.system.folder, steps: [.respond(180), .awaitCancel])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        try await SIPCaller(
            system: callee.system, number: callee.number, steps: ringing + [.pause(milliseconds: 500), .cancel]
        ).run()
        let output = await program.finish(within: .seconds(30))
        #expect(output.status == 0, "\(output.standardError)\(phone.log)")
        let record = try await callee.record("unanswered")
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == "callerCancelled")
        try await expectNothingLeft(callee.system)
    }

    @Test func holdAndDigitsReachTheOtherSide() async throws {
        let callee = try await callee()
        let phone = SIPPhone(
            in: callee.system.folder,
            steps: [.respond(180), .answer, .hold, .awaitInfo, .awaitHangUp])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        try await SIPCaller(
            system: callee.system, number: callee.number,
            steps: ringing + [
                .expect(200), .acknowledge, .awaitReinvite, .pause(milliseconds: 500), .sendInfo(digit: "5"), .hangUp,
            ]
        ).run()
        let output = await program.finish(within: .seconds(30))
        #expect(output.status == 0, "\(output.standardError)\(phone.log)")
        #expect(phone.log.contains("Signal=5"))
        try await expectNothingLeft(callee.system)
    }
}
