import Foundation
import Glibc
import Runtime
import Testing

/// One of two instances of `calls` is killed and stays away: the other takes its address and goes on with its calls.
@Suite(.serialized) struct HandoverTests {
    private static let pair = SharedPair()

    /// What two sides do in a call whose process dies once its record has a state.
    struct Scenario: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let state: String
        let caller: [SIPCaller.Step]
        let phone: [SIPPhone.Step]
        var operatorHangsUp = false
        /// What the record says in the end.
        let end: String
        let reason: String
    }

    private static let ringing: [SIPCaller.Step] = [.expect(100, optional: true), .expect(180)]
    private static let talking = ringing + [.expect(200), .acknowledge]
    private static let away = 1000 * (CallsPair.leaseSeconds + 4)

    static let scenarios = [
        Scenario(
            testDescription: "the caller hangs up", state: "answered",
            caller: talking + [.pause(milliseconds: away), .hangUp],
            phone: [.respond(180), .answer, .awaitHangUp], end: "completed", reason: "callerHungUp"),
        Scenario(
            testDescription: "the phone hangs up", state: "answered", caller: talking + [.awaitHangUp],
            phone: [.respond(180), .answer, .pause(milliseconds: away), .hangUp], end: "completed",
            reason: "calleeHungUp"),
        Scenario(
            testDescription: "the operator hangs up", state: "answered", caller: talking + [.awaitHangUp],
            phone: [.respond(180), .answer, .awaitHangUp], operatorHangsUp: true, end: "completed",
            reason: "calleeHungUp"),
        Scenario(
            testDescription: "hold and digits work", state: "answered",
            caller: talking + [.awaitReinvite, .pause(milliseconds: 500), .sendInfo(digit: "7"), .hangUp],
            phone: [.respond(180), .answer, .pause(milliseconds: away), .hold, .awaitInfo, .awaitHangUp],
            end: "completed", reason: "callerHungUp"),
        Scenario(
            testDescription: "a BYE that nobody hears at first arrives", state: "answered",
            caller: talking + [.pause(milliseconds: 1500), .hangUp], phone: [.respond(180), .answer, .awaitHangUp],
            end: "completed", reason: "callerHungUp"),
        Scenario(
            testDescription: "what rings is answered", state: "ringing",
            caller: ringing + [
                .expect(100, optional: true), .expect(200), .acknowledge, .pause(milliseconds: 1000), .hangUp,
            ],
            phone: [.respond(180), .pause(milliseconds: away), .answer, .awaitHangUp], end: "completed",
            reason: "callerHungUp"),
        Scenario(
            testDescription: "what rings is cancelled", state: "ringing",
            // Whoever goes on with the INVITE says 100 again.
            caller: ringing + [.expect(100), .pause(milliseconds: 2000), .cancel],
            phone: [.respond(180), .awaitCancel],
            end: "unanswered", reason: "callerCancelled"),
    ]

    @Test("After the takeover", arguments: scenarios) func takeover(_ scenario: Scenario) async throws {
        let pair = try await Self.pair.value
        let system = pair.system
        let second = try await pair.startSecond()
        let callee = try await Subscriber.make(in: system, ringSeconds: 60)
        let phone = SIPPhone(in: system.folder, steps: scenario.phone)
        let phoneProgram = try await phone.start()
        try await callee.add(phone: phone.uri)
        let errors = system.folder.file("caller-\(callee.identity).log")
        let caller = try await SIPCaller(
            system: system, number: callee.number, steps: scenario.caller, server: second.address
        ).start(errorFile: errors)
        _ = try await callee.record(scenario.state)
        second.program.child.signal(SIGKILL)
        try await pair.firstHasAll()
        if scenario.operatorHangsUp {
            let live = try await system.json("call", "list", "--live", "--account", callee.account)
            try await system.json("call", "hangup", try #require(live.first?["id"] as? String))
        }
        let callerOutput = await caller.finish(within: .seconds(60))
        let text = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
        #expect(callerOutput.status == 0, "caller: \(callerOutput.standardError)\(text)")
        let phoneOutput = await phoneProgram.finish(within: .seconds(30))
        #expect(phoneOutput.status == 0, "phone: \(phoneOutput.standardError)\(phone.log)")
        let record = try await callee.record(scenario.end)
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == scenario.reason)
        #expect(try await callee.records.count == 1)
        try await expectNothingLeft(system)
    }
}
