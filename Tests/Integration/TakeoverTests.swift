import Foundation
import Glibc
import Runtime
import Testing

/// The process that carries a call is killed, at each state that a call can be in: the call goes on.
@Suite(.serialized) struct TakeoverTests {
    private static let system = SharedSystem()

    private let ringing: [SIPCaller.Step] = [.expect(100, optional: true), .expect(180)]

    private func callee() async throws -> Subscriber {
        try await Subscriber.make(in: try await Self.system.value, ringSeconds: 60)
    }

    private func reason(_ record: [String: Any]) -> String? {
        (record["termination"] as? [String: Any])?["reason"] as? String
    }

    /// A caller and a phone, each with its steps, in a call to that state; then `calls` is killed, and both go on to their ends.
    private func kill(
        in state: String, caller steps: [SIPCaller.Step], phone phoneSteps: [SIPPhone.Step],
        before: (Subscriber) async throws -> Void = { _ in },
        then more: (Subscriber) async throws -> Void = { _ in }
    ) async throws -> Subscriber {
        let callee = try await callee()
        let phone = SIPPhone(in: callee.system.folder, steps: phoneSteps)
        let phoneProgram = try await phone.start()
        try await callee.add(phone: phone.uri)
        let errors = callee.system.folder.file("caller-\(callee.identity).log")
        let caller = try await SIPCaller(system: callee.system, number: callee.number, steps: steps)
            .start(errorFile: errors)
        _ = try await callee.record(state)
        try await before(callee)
        try await callee.system.kill("calls")
        try await callee.system.recovered()
        try await more(callee)
        let callerOutput = await caller.finish(within: .seconds(60))
        let text = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
        #expect(callerOutput.status == 0, "caller: \(callerOutput.standardError)\(text)")
        let phoneOutput = await phoneProgram.finish(within: .seconds(30))
        #expect(phoneOutput.status == 0, "phone: \(phoneOutput.standardError)\(phone.log)")
        #expect(try await callee.records.count == 1)
        try await expectNothingLeft(callee.system)
        return callee
    }

    @Test func whatDoesNotRingYetRingsAndIsAnswered() async throws {
        let callee = try await kill(
            in: "authorized",
            caller: [
                .expect(100), .expect(100, optional: true), .expect(180), .expect(200), .acknowledge,
                .pause(milliseconds: 1500), .hangUp,
            ],
            phone: [.pause(milliseconds: 7000), .respond(180), .answer, .awaitHangUp])
        #expect(reason(try await callee.record("completed")) == "callerHungUp")
    }

    @Test func whoIsHeldStaysHeldAndThePhoneHangsUp() async throws {
        let callee = try await kill(
            in: "answered", caller: ringing + [.expect(200), .acknowledge, .awaitReinvite, .awaitHangUp],
            phone: [.respond(180), .answer, .hold, .pause(milliseconds: 8000), .hangUp],
            before: { _ in try await Task.sleep(for: .seconds(2)) })
        #expect(reason(try await callee.record("completed")) == "calleeHungUp")
    }

    /// The phone is stopped, so that the BYE stays without an answer until its sender is gone.
    @Test func aByeOnItsWayIsNotLost() async throws {
        let callee = try await callee()
        let phone = SIPPhone(in: callee.system.folder, steps: [.respond(180), .answer, .awaitHangUp])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        let caller = try await SIPCaller(
            system: callee.system, number: callee.number,
            steps: ringing + [.expect(200), .acknowledge, .pause(milliseconds: 2500), .hangUp]
        ).start()
        _ = try await callee.record("answered")
        program.child.signal(SIGSTOP)
        #expect(await caller.finish(within: .seconds(30)).status == 0)
        try await callee.system.kill("calls")
        program.child.signal(SIGCONT)
        let output = await program.finish(within: .seconds(30))
        #expect(output.status == 0, "\(output.standardError)\(phone.log)")
        try await callee.system.recovered()
        let record = try await callee.record("completed")
        #expect(reason(record) == "callerHungUp")
        #expect((2...4).contains(record["durationSeconds"] as? Int ?? -1), "\(record)")
        try await expectNothingLeft(callee.system)
    }

    @Test func talkGoesOnAndTheCallerHangsUp() async throws {
        let callee = try await kill(
            in: "answered", caller: ringing + [.expect(200), .acknowledge, .pause(milliseconds: 8000), .hangUp],
            phone: [.respond(180), .answer, .awaitHangUp])
        let record = try await callee.record("completed")
        #expect(reason(record) == "callerHungUp")
        #expect((7...9).contains(record["durationSeconds"] as? Int ?? -1), "\(record)")
    }

    @Test func talkGoesOnAndThePhoneHangsUp() async throws {
        let callee = try await kill(
            in: "answered", caller: ringing + [.expect(200), .acknowledge, .awaitHangUp],
            phone: [.respond(180), .answer, .pause(milliseconds: 8000), .hangUp])
        #expect(reason(try await callee.record("completed")) == "calleeHungUp")
    }

    @Test func talkGoesOnAndTheOperatorHangsUp() async throws {
        let callee = try await kill(
            in: "answered", caller: ringing + [.expect(200), .acknowledge, .awaitHangUp],
            phone: [.respond(180), .answer, .awaitHangUp],
            then: { callee in
                let live = try await callee.system.json("call", "list", "--live", "--account", callee.account)
                try await callee.system.json("call", "hangup", try #require(live.first?["id"] as? String))
            })
        #expect(reason(try await callee.record("completed")) == "calleeHungUp")
    }

    @Test func holdAndDigitsWorkAfterwards() async throws {
        _ = try await kill(
            in: "answered",
            caller: ringing + [
                .expect(200), .acknowledge, .awaitReinvite, .pause(milliseconds: 500), .sendInfo(digit: "7"), .hangUp,
            ],
            phone: [.respond(180), .answer, .pause(milliseconds: 7000), .hold, .awaitInfo, .awaitHangUp])
    }

    @Test func whatRingsRingsOnAndIsAnswered() async throws {
        let callee = try await kill(
            in: "ringing",
            caller: ringing + [
                .expect(100, optional: true), .expect(200), .acknowledge, .pause(milliseconds: 1500), .hangUp,
            ],
            phone: [.respond(180), .pause(milliseconds: 7000), .answer, .awaitHangUp])
        #expect(reason(try await callee.record("completed")) == "callerHungUp")
    }

    @Test func whatRingsRingsOnAndIsRefused() async throws {
        let callee = try await callee()
        let phone = SIPPhone(
            in: callee.system.folder, steps: [.respond(180), .pause(milliseconds: 7000), .respond(486)])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        try await callee.setShortGreeting()
        let caller = try await SIPCaller(
            system: callee.system, number: callee.number,
            steps: ringing + [
                .expect(100, optional: true), .expect(200), .acknowledge, .pause(milliseconds: 1000), .hangUp,
            ]
        ).start()
        _ = try await callee.record("ringing")
        try await callee.system.kill("calls")
        #expect(await caller.finish(within: .seconds(60)).status == 0)
        #expect(await program.finish(within: .seconds(20)).status == 0)
        #expect(reason(try await callee.record("unanswered")) == "busy")
        try await expectNothingLeft(callee.system)
    }

    @Test func whatRingsRingsOnUntilTheCallerGivesUp() async throws {
        let callee = try await kill(
            in: "ringing", caller: ringing + [.expect(100), .pause(milliseconds: 5000), .cancel],
            phone: [.respond(180), .awaitCancel])
        #expect(reason(try await callee.record("unanswered")) == "callerCancelled")
    }

    /// The audio does not pass through the process that dies.
    @Test func nobodyHearsIt() async throws {
        let callee = try await callee()
        let system = callee.system
        let low = system.folder.file("low.wav")
        let high = system.folder.file("high.wav")
        try Tone.wav(frequency: 400, seconds: 40, rate: 8000).write(to: URL(fileURLWithPath: low))
        try Tone.wav(frequency: 800, seconds: 40, rate: 8000).write(to: URL(fileURLWithPath: high))
        let phone = try await BaresipPhone(in: system.folder, microphone: low, seconds: 14)
        try await callee.add(phone: phone.uri)
        async let call = Baresip(system: system, number: callee.number, microphone: high, seconds: 10).run()
        _ = try await callee.record("answered")
        try await Task.sleep(for: .seconds(2))
        try await system.kill("calls")
        let caller = try await call
        let heard = try await phone.heard()
        #expect(caller.received.longestGap(at: 400) <= 0.2, "\(caller.received.longestGap(at: 400)) s of silence")
        #expect(heard.received.longestGap(at: 800) <= 0.2, "\(heard.received.longestGap(at: 800)) s of silence")
        #expect(caller.received.secondsOfTone(at: 400) > 6)
        let record = try await callee.record("completed")
        #expect(reason(record) == "callerHungUp")
        try await expectNothingLeft(system)
    }
}
