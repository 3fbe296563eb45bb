import Foundation
import Glibc
import Runtime
import Testing

/// Instances that are taken out one after the other, and `calls` that is stopped alone: nobody notices.
@Suite(.serialized) struct RollingRestartTests {
    private static let pair = SharedPair(settings: ["BELLWIRE_CALLS_INSTANCES": "2"])

    /// Returns once every service, with both instances of `calls`, takes work.
    private func complete(_ pair: CallsPair) async throws {
        _ = try await eventually("readiness of all", within: .seconds(40)) {
            let services = try await pair.system.statuses()
            return services.count == 6 && services.allSatisfy { $0["ready"] as? Bool == true } ? true : nil
        }
    }

    private func drain(_ instance: String, _ system: BellwireSystem) async throws {
        let before = try await system.statuses().first { $0["instance"] as? String == instance }?["processId"] as? Int
        let drained = try await system.json("drain", instance)
        #expect(drained.first?["processId"] as? Int == before)
        #expect(drained.first?["milliseconds"] as? Int ?? .max < 9000, "\(drained)")
    }

    /// Two phones that hear each other's tone.
    private struct Talk {
        let callee: Subscriber
        let phone: BaresipPhone
        let caller: Task<Baresip.Heard, any Error>

        init(_ system: BellwireSystem, server: String, seconds: Int) async throws {
            callee = try await Subscriber.make(in: system, ringSeconds: 60)
            let low = system.folder.file("low-\(callee.identity).wav")
            let high = system.folder.file("high-\(callee.identity).wav")
            try Tone.wav(frequency: 400, seconds: Double(seconds + 30), rate: 8000).write(to: URL(fileURLWithPath: low))
            try Tone.wav(frequency: 800, seconds: Double(seconds + 30), rate: 8000).write(
                to: URL(fileURLWithPath: high))
            phone = try await BaresipPhone(in: system.folder, microphone: low, seconds: seconds + 5)
            try await callee.add(phone: phone.uri)
            let number = callee.number
            caller = Task {
                try await Baresip(system: system, number: number, microphone: high, seconds: seconds, server: server)
                    .run()
            }
            _ = try await callee.record("answered")
        }

        /// The caller hangs up, and neither side has heard more silence than an ear notices.
        func expectWhole(seconds: Int) async throws {
            let caller = try await caller.value
            let heard = try await phone.heard()
            #expect(caller.received.longestGap(at: 400) <= 0.2, "\(caller.received.longestGap(at: 400)) s of silence")
            #expect(heard.received.longestGap(at: 800) <= 0.2, "\(heard.received.longestGap(at: 800)) s of silence")
            #expect(caller.received.secondsOfTone(at: 400) > Double(seconds) * 0.8)
            let record = try await callee.record("completed")
            #expect((record["termination"] as? [String: Any])?["reason"] as? String == "callerHungUp")
            #expect(try await callee.records.count == 1)
        }
    }

    @Test func everyInstanceIsRestartedInTurnAndNoCallIsDropped() async throws {
        let pair = try await Self.pair.value
        let system = pair.system
        try await pair.eachHasOne()
        let seconds = 45
        var talks: [Talk] = []
        for server in pair.addresses { talks.append(try await Talk(system, server: server, seconds: seconds)) }
        let begun = ContinuousClock.now
        for instance in ["directory-1", "records-1", "notifications-1", "voicemail-1", "calls-1", "calls-2"] {
            try await drain(instance, system)
            try await complete(pair)
        }
        #expect(ContinuousClock.now - begun < .seconds(seconds - 5), "the calls ended before the last restart")
        for talk in talks { try await talk.expectWhole(seconds: seconds) }
        try await expectNothingLeft(system)
    }

    @Test func liveCallsMoveAtOnceAndNewOnesGoElsewhere() async throws {
        let pair = try await Self.pair.value
        let system = pair.system
        try await pair.eachHasOne()
        let slot = try #require(try await pair.slots()["calls-2"]?.first)
        let server = pair.addresses[slot]
        let talk = try await Talk(system, server: server, seconds: 12)
        try await drain("calls-2", system)
        // Its address is served meanwhile, for the call and for new ones: by the other, or by its own successor.
        try await SIPCaller(
            system: system, number: "+12025559999", steps: [.expect(100, optional: true), .refused(404)], server: server
        ).run(within: .seconds(20))
        try await talk.expectWhole(seconds: 12)
        try await complete(pair)
        try await expectNothingLeft(system)
    }

    @Test func aRingingCallMovesAndIsAnswered() async throws {
        let pair = try await Self.pair.value
        let system = pair.system
        try await pair.eachHasOne()
        let server = pair.addresses[try #require(try await pair.slots()["calls-1"]?.first)]
        let callee = try await Subscriber.make(in: system, ringSeconds: 60)
        let phone = SIPPhone(
            in: system.folder, steps: [.respond(180), .pause(milliseconds: 6000), .answer, .awaitHangUp])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        let caller = try await SIPCaller(
            system: system, number: callee.number,
            steps: [
                .expect(100, optional: true), .expect(180), .expect(100, optional: true), .expect(200), .acknowledge,
                .pause(milliseconds: 1000), .hangUp,
            ], server: server
        ).start()
        _ = try await callee.record("ringing")
        try await drain("calls-1", system)
        #expect(await caller.finish(within: .seconds(40)).status == 0)
        #expect(await program.finish(within: .seconds(20)).status == 0)
        _ = try await callee.record("completed")
        try await complete(pair)
        try await expectNothingLeft(system)
    }
}

/// `calls` alone: its successor goes on.
@Suite(.serialized) struct LoneRestartTests {
    private static let system = SharedSystem()

    @Test func aCallOutlivesTheStopOfTheOnlyInstance() async throws {
        let system = try await Self.system.value
        let callee = try await Subscriber.make(in: system, ringSeconds: 60)
        let phone = SIPPhone(
            in: system.folder, steps: [.respond(180), .answer, .pause(milliseconds: 6000), .hangUp])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        let caller = try await SIPCaller(
            system: system, number: callee.number,
            steps: [.expect(100, optional: true), .expect(180), .expect(200), .acknowledge, .awaitHangUp]
        ).start()
        _ = try await callee.record("answered")
        let process = try #require(try await system.processIdentifier(of: "calls"))
        #expect(Glibc.kill(process, SIGTERM) == 0)
        #expect(await caller.finish(within: .seconds(40)).status == 0)
        #expect(await program.finish(within: .seconds(20)).status == 0)
        let record = try await callee.record("completed")
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == "calleeHungUp")
        #expect((5...8).contains(record["durationSeconds"] as? Int ?? -1), "\(record)")
        #expect(try await system.processIdentifier(of: "calls") != process)
        try await expectNothingLeft(system)
    }

    @Test func theEndOfTheWholeSystemEndsItsCalls() async throws {
        let system = try BellwireSystem()
        try await system.start()
        let callee = try await Subscriber.make(in: system, ringSeconds: 60)
        let phone = SIPPhone(in: system.folder, steps: [.respond(180), .answer, .awaitHangUp])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        let caller = try await SIPCaller(
            system: system, number: callee.number,
            steps: [.expect(100, optional: true), .expect(180), .expect(200), .acknowledge, .awaitHangUp]
        ).start()
        _ = try await callee.record("answered")
        await system.stop()
        #expect(await caller.finish(within: .seconds(5)).status == 0)
        #expect(await program.finish(within: .seconds(5)).status == 0)
    }
}
