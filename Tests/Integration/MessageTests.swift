import Foundation
import Glibc
import Testing

/// Callers nobody here wrote leave messages, and what they said is what is kept.
@Suite(.serialized) struct MessageTests {
    private static let system = SharedSystem()

    /// Greeting and beep are over after this.
    private let untilRecording = 2500

    private func steps(_ audio: [SIPCaller.Step]) -> [SIPCaller.Step] {
        [.expect(100, optional: true), .expect(180), .expect(200), .acknowledge, .pause(milliseconds: untilRecording)]
            + audio
    }

    private func file(_ name: String, _ data: Data, in system: BellwireSystem) throws -> String {
        let path = system.folder.file(name)
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }

    @Test(arguments: [SIPCaller.Transport.udp, .tcp]) func sippLeavesAMessage(transport: SIPCaller.Transport)
        async throws
    {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system)
        try await callee.setShortGreeting()
        let watch = try await system.follow("record", "watch", "--owner", callee.identifier)
        let messages = try await system.follow("voicemail", "watch", "--owner", callee.identifier)
        let tone = try file("440.ul", Tone.raw(frequency: 440, seconds: 1, encode: Tone.muLaw), in: system)
        var caller = SIPCaller(
            system: system, number: callee.number,
            steps: steps([.stream(path: tone, payloadType: 0), .pause(milliseconds: 4000), .hangUp]))
        caller.transport = transport
        try await caller.run()

        let voicemail = try await callee.voicemail()
        let audio = try await callee.audio(of: voicemail)
        #expect(
            audio.secondsOfTone(at: 440).isWithin100Milliseconds(of: 4), "\(audio.secondsOfTone(at: 440)) s of tone")
        #expect(audio.seconds.isWithin100Milliseconds(of: 4), "\(audio.seconds) s in all")
        #expect(voicemail["durationSeconds"] as? Int == 4)

        let record = try await eventually("the record with its voicemail") {
            try await callee.records.first { $0["voicemail"] is [String: Any] }
        }
        #expect((record["voicemail"] as? [String: Any])?["id"] as? String == voicemail["id"] as? String)
        #expect(voicemail["callRecordId"] as? String == record["id"] as? String)
        #expect(record["state"] as? String == "unanswered")
        #expect(record["direction"] as? String == "inbound")
        #expect(record["durationSeconds"] as? Int == 0)
        #expect(record["localPhoneNumber"] as? String == callee.number)
        #expect(record["remotePhoneNumber"] as? String == caller.caller)
        #expect(try await callee.records.count == 1)

        let states = try await eventually("four record updates") {
            let updates = watch.objects.filter { $0["state"] != nil }
            return updates.count >= 4 ? updates : nil
        }
        #expect(states.map { $0["state"] as? String } == ["authorized", "ringing", "unanswered", "unanswered"])
        #expect(states.map { $0["voicemail"] is [String: Any] } == [false, false, false, true])
        _ = try await eventually("the voicemail's event") {
            messages.objects.first { $0["id"] as? String == voicemail["id"] as? String }
        }
        await watch.stop()
        await messages.stop()
    }

    @Test func aMessageIsWholeThoughVoicemailStoodStillForThreeSeconds() async throws {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system, policy: "decline")
        try await callee.setShortGreeting()
        let tone = try file("520.ul", Tone.raw(frequency: 520, seconds: 1, encode: Tone.muLaw), in: system)
        let caller = try await SIPCaller(
            system: system, number: callee.number,
            steps: [
                .expect(100, optional: true), .expect(200), .acknowledge, .pause(milliseconds: untilRecording),
                .stream(path: tone, payloadType: 0), .pause(milliseconds: 9000), .hangUp,
            ]
        ).start()
        let live = system.runDirectory + "/media/live"
        _ = try await eventually("a second of the message") { () -> Bool? in
            let folders = (try? FileManager.default.contentsOfDirectory(atPath: live)) ?? []
            let sizes = folders.map { folder -> Int in
                let attributes = try? FileManager.default.attributesOfItem(atPath: "\(live)/\(folder)/audio.wav")
                return attributes?[.size] as? Int ?? 0
            }
            return sizes.contains { $0 > 16_000 } ? true : nil
        }
        let voicemail = try #require(try await system.processIdentifier(of: "voicemail"))
        kill(voicemail, SIGSTOP)
        // The pause itself is what is tested.
        try await Task.sleep(for: .seconds(3))
        kill(voicemail, SIGCONT)
        let output = await caller.finish()
        #expect(output.status == 0, "\(output.standardError.suffix(500))")
        let audio = try await callee.audio(of: try await callee.voicemail())
        #expect(audio.seconds.isWithin100Milliseconds(of: 9), "\(audio.seconds) s in all")
        #expect(
            audio.secondsOfTone(at: 520).isWithin100Milliseconds(of: 9), "\(audio.secondsOfTone(at: 520)) s of tone")
        try await expectNothingLeft(system)
    }

    @Test func aSubscriberSeesEveryChangeInOrder() async throws {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system)
        try await callee.setShortGreeting()
        let subscription = try await system.follow(
            "rpc", "bellwire.notifications.v1.Notifications/Subscribe", "{\"owner\": \"\(callee.identifier)\"}")
        _ = try await eventually("the subscription") { subscription.objects.first { $0["subscribed"] != nil } }
        let tone = try file("880.ul", Tone.raw(frequency: 880, seconds: 1, encode: Tone.muLaw), in: system)
        try await SIPCaller(
            system: system, number: callee.number,
            steps: steps([.stream(path: tone, payloadType: 0), .pause(milliseconds: 2000), .hangUp])
        ).run()
        let changes = try await eventually("five changes") { () -> [String]? in
            let changes = subscription.objects.compactMap(MessageTests.change)
            return changes.count >= 5 ? changes : nil
        }
        #expect(
            changes == [
                "record AUTHORIZED", "record RINGING", "record UNANSWERED", "voicemail",
                "record UNANSWERED with voicemail",
            ])
        await subscription.stop()
    }

    private static func change(_ update: [String: Any]) -> String? {
        if update["voicemail"] != nil { return "voicemail" }
        guard let event = update["record"] as? [String: Any], let record = event["record"] as? [String: Any] else {
            return nil
        }
        let state = (record["state"] as? String ?? "").replacingOccurrences(of: "CALL_STATE_", with: "")
        return "record \(state)" + (record["voicemail"] == nil ? "" : " with voicemail")
    }
}
