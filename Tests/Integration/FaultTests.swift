import Foundation
import Runtime
import Testing

/// Every process is killed in turn, in a call and between calls: nothing is lost, nothing is there twice, and the next
/// call works.
@Suite(.serialized) struct FaultTests {
    private static let system = SharedSystem()

    /// A caller who speaks a tone until hung up on, or for `seconds`.
    private func speaker(to callee: Subscriber, seconds: Int?) throws -> SIPCaller {
        let path = callee.system.folder.file("440.ul")
        try Tone.raw(frequency: 440, seconds: 1, encode: Tone.muLaw).write(to: URL(fileURLWithPath: path))
        let end: [SIPCaller.Step] = seconds.map { [.pause(milliseconds: $0 * 1000), .hangUp] } ?? [.awaitHangUp]
        return SIPCaller(
            system: callee.system, number: callee.number,
            steps: [
                .expect(100, optional: true), .expect(180, optional: true), .expect(200), .acknowledge,
                .stream(path: path, payloadType: 0),
            ] + end)
    }

    private func callee() async throws -> Subscriber {
        let callee = try await Subscriber.make(in: try await Self.system.value, policy: "decline")
        try await callee.setShortGreeting()
        return callee
    }

    /// Waits until voicemail has taken a call, and then for as long: after 3 seconds the message has a second of sound.
    private func recording(_ system: BellwireSystem, milliseconds: Int = 3000) async throws {
        _ = try await eventually("a recording") { () -> Bool? in
            let counters = try await system.json("counters")
            return counters.contains { $0["name"] as? String == "recordings_active" && $0["value"] as? Int == 1 }
                ? true : nil
        }
        try await Task.sleep(for: .milliseconds(milliseconds))
    }

    /// The one record and the one voicemail of a call, which name each other.
    private func expectOneOfEach(_ callee: Subscriber, tone: ClosedRange<Double>) async throws {
        let voicemail = try await callee.voicemail(within: .seconds(40))
        let record = try await eventually("the record with its voicemail", within: .seconds(40)) {
            try await callee.records.first { $0["voicemail"] is [String: Any] }
        }
        #expect(voicemail["callRecordId"] as? String == record["id"] as? String)
        #expect(record["state"] as? String == "unanswered")
        #expect(try await callee.records.count == 1)
        #expect(try await callee.voicemails.count == 1)
        let audio = try await callee.audio(of: voicemail)
        #expect(tone.contains(audio.secondsOfTone(at: 440)), "\(audio.secondsOfTone(at: 440)) s of tone")
        #expect(abs(audio.seconds - audio.secondsOfTone(at: 440)) <= 0.3)
    }

    private func expectTheNextCallWorks(_ system: BellwireSystem) async throws {
        _ = try await eventually("readiness", within: .seconds(40)) { try await system.isReady() ? true : nil }
        try await expectNothingLeft(system)
        let next = try await callee()
        try await speaker(to: next, seconds: 4).run()
        try await expectOneOfEach(next, tone: 2.0...3.5)
        try await expectNothingLeft(system)
    }

    @Test(arguments: ["directory", "records", "notifications", "postgres"])
    func aCallGoesOnWithout(service: String) async throws {
        let callee = try await callee()
        let caller = try await speaker(to: callee, seconds: 10).start()
        try await recording(callee.system)
        try await callee.system.kill(service)
        let output = await caller.finish()
        #expect(output.status == 0, "\(output.standardError)")
        try await expectOneOfEach(callee, tone: 8.0...9.5)
        try await expectTheNextCallWorks(callee.system)
    }

    @Test func theCallerIsToldAndWhatWasSaidIsKeptWithoutTheOnlyRelay() async throws {
        let callee = try await callee()
        let caller = try await speaker(to: callee, seconds: nil).start()
        try await recording(callee.system)
        try await callee.system.kill("rtpengine")
        let output = await caller.finish(within: .seconds(60))
        #expect(output.status == 0, "\(output.standardError)")
        try await expectOneOfEach(callee, tone: 1.5...60)
        try await expectTheNextCallWorks(callee.system)
    }

    /// What was said before and after is one message; in between the caller hears the beep.
    /// Voicemail has five seconds to answer: 4.4 is where those of the first try would run out in the second one.
    @Test(arguments: [("voicemail", 3000), ("voicemail", 4400), ("calls", 3000)])
    func aMessageGoesOnWithout(service: String, milliseconds: Int) async throws {
        let callee = try await callee()
        let caller = try await speaker(to: callee, seconds: 14).start()
        try await recording(callee.system, milliseconds: milliseconds)
        try await callee.system.kill(service)
        let output = await caller.finish(within: .seconds(60))
        #expect(output.status == 0, "\(output.standardError)")
        let voicemail = try await eventually("the whole message", within: .seconds(40)) {
            try await callee.voicemails.first { ($0["durationSeconds"] as? Int ?? 0) >= 8 }
        }
        let tone = try await callee.audio(of: voicemail).secondsOfTone(at: 440)
        #expect((8...14).contains(tone), "\(tone)")
        let record = try await eventually("the record with its voicemail", within: .seconds(40)) {
            try await callee.records.first {
                ($0["voicemail"] as? [String: Any])?["durationSeconds"] as? Int == voicemail["durationSeconds"] as? Int
            }
        }
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == "declined")
        #expect(try await callee.records.count == 1)
        #expect(try await callee.voicemails.count == 1)
        try await expectTheNextCallWorks(callee.system)
    }

    @Test func aCallGoesOnWhileCallsIsToStop() async throws {
        let callee = try await callee()
        let caller = try await speaker(to: callee, seconds: 9).start()
        try await recording(callee.system)
        let process = try #require(try await callee.system.processIdentifier(of: "calls"))
        #expect(Glibc.kill(process, SIGTERM) == 0)
        try await SIPCaller(
            system: callee.system, number: callee.number, steps: [.expect(100, optional: true), .refused(503)]
        ).run(within: .seconds(20))
        let output = await caller.finish(within: .seconds(60))
        #expect(output.status == 0, "\(output.standardError)")
        let audio = try await callee.audio(of: try await callee.voicemail())
        #expect(audio.secondsOfTone(at: 440) > 6, "\(audio.secondsOfTone(at: 440))")
        try await expectTheNextCallWorks(callee.system)
    }

    @Test(arguments: ["directory", "calls", "records", "voicemail", "notifications", "rtpengine", "postgres"])
    func theNextCallWorksAfterAKillBetweenCalls(service: String) async throws {
        let system = try await Self.system.value
        try await system.kill(service)
        try await expectTheNextCallWorks(system)
    }
}
