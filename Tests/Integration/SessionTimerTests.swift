import Foundation
import Testing

/// Sessions that have to be refreshed (RFC 4028): by whom, how often, and what becomes of those that nobody refreshes.
@Suite(.serialized) struct SessionTimerTests {
    private static let system = SharedSystem(settings: ["BELLWIRE_SESSION_EXPIRES": "30", "BELLWIRE_MIN_SE": "4"])

    private let answered: [SIPCaller.Step] = [
        .expect(100, optional: true), .expect(180), .expect(200), .acknowledge,
    ]
    /// What a phone says that has us refresh every three seconds.
    private let refreshedByUs = ["Require: timer", "Supported: timer", "Session-Expires: 6;refresher=uac"]
    private let refreshedByPhone = ["Supported: timer", "Session-Expires: 6;refresher=uas"]

    private func callee() async throws -> Subscriber {
        try await Subscriber.make(in: try await Self.system.value, ringSeconds: 60)
    }

    private func expect(_ callee: Subscriber, _ reason: String, seconds: ClosedRange<Int>) async throws {
        let record = try await callee.record("completed")
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == reason)
        #expect(seconds.contains(record["durationSeconds"] as? Int ?? -1), "\(record)")
        #expect(try await callee.records.count == 1)
        try await expectNothingLeft(callee.system)
    }

    @Test func aPhoneThatRefreshesAndThenFallsSilentIsHungUpOnAndSoIsTheCaller() async throws {
        let callee = try await callee()
        let phone = SIPPhone(
            in: callee.system.folder,
            steps: [
                .respond(180), .answerWith(refreshedByPhone), .pause(milliseconds: 3000),
                .update(sequence: 20, refreshedByPhone.map { $0.replacing("uas", with: "uac") }),
                .pause(milliseconds: 3000),
                .update(sequence: 21, refreshedByPhone.map { $0.replacing("uas", with: "uac") }), .awaitHangUp,
            ])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        try await SIPCaller(system: callee.system, number: callee.number, steps: answered + [.awaitHangUp]).run()
        let output = await program.finish(within: .seconds(30))
        #expect(output.status == 0, "\(output.standardError)\(phone.log)")
        #expect(phone.log.contains("Session-Expires: 30"), "ours is offered")
        #expect(phone.log.contains("text=\"sessionExpired\""))
        // Six seconds of refreshed talk, and four that a session of six lives on.
        try await expect(callee, "sessionExpired", seconds: 9...11)
    }

    /// Each side has its own timer: the phone's is kept by re-INVITE, the caller's by UPDATE. Both go on in the next process.
    @Test func bothSidesAreRefreshedAsTheyWantItAlsoAfterARestart() async throws {
        let callee = try await callee()
        let phone = SIPPhone(
            in: callee.system.folder,
            steps: [.respond(180), .answerWith(refreshedByUs)]
                + Array(repeating: .awaitRefresh("INVITE", refreshedByUs), count: 4) + [.hangUp])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        let timed = [
            "Supported: timer", "Session-Expires: 10;refresher=uas", "Allow: INVITE, ACK, BYE, CANCEL, UPDATE",
        ]
        var caller = SIPCaller(
            system: callee.system, number: callee.number,
            steps: answered
                + Array(repeating: .awaitUpdate(["Supported: timer", "Session-Expires: 10;refresher=uac"]), count: 2)
                + [.awaitHangUp])
        caller.headers = timed
        let errors = callee.system.folder.file("timed.log")
        let call = try await caller.start(errorFile: errors)
        _ = try await callee.record("answered")
        try await callee.system.kill("calls")
        let output = await call.finish(within: .seconds(60))
        let text = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
        #expect(output.status == 0, "\(output.standardError)\(text)")
        #expect(await program.finish(within: .seconds(30)).status == 0, "\(phone.log)")
        try await expect(callee, "calleeHungUp", seconds: 8...16)
    }

    @Test func aSessionThatIsTooShortIsRefused() async throws {
        let callee = try await callee()
        var caller = SIPCaller(
            system: callee.system, number: callee.number, steps: [.expect(100, optional: true), .refused(422)])
        caller.headers = ["Supported: timer", "Session-Expires: 3"]
        try await caller.run()
        #expect(try await callee.records.isEmpty)
    }

    /// Voicemail's callers have sessions, too.
    @Test func aCallerWhoRecordsAndDoesNotRefreshIsHungUpOnAndTheMessageIsKept() async throws {
        let callee = try await Subscriber.make(in: try await Self.system.value, policy: "decline")
        try await callee.setShortGreeting()
        let tone = callee.system.folder.file("440.ul")
        try Tone.raw(frequency: 440, seconds: 1, encode: Tone.muLaw).write(to: URL(fileURLWithPath: tone))
        var caller = SIPCaller(
            system: callee.system, number: callee.number,
            steps: [
                .expect(100, optional: true), .expect(180, optional: true), .expect(200), .acknowledge,
                .stream(path: tone, payloadType: 0), .awaitHangUp,
            ])
        caller.headers = ["Supported: timer", "Session-Expires: 9;refresher=uac"]
        try await caller.run()
        #expect(try await callee.audio(of: try await callee.voicemail()).secondsOfTone(at: 440) > 2)
        let record = try await callee.record("unanswered")
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == "declined")
        try await expectNothingLeft(callee.system)
    }
}
