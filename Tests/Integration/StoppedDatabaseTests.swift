import Foundation
import Glibc
import Runtime
import Testing

/// PostgreSQL stands still for a minute, as a machine that swaps does: calls go on, end, and have right records afterwards.
@Suite(.serialized) struct StoppedDatabaseTests {
    private static let system = SharedSystem()

    private let answered: [SIPCaller.Step] = [
        .expect(100, optional: true), .expect(180), .expect(200), .acknowledge,
    ]

    private func signal(_ system: BellwireSystem, _ signal: Int32) throws {
        let postgres = try #require(ProcessTable.child(of: system.supervisor.child.identifier, named: "postgres"))
        for process in [postgres] + ProcessTable.descendants(of: postgres) { Glibc.kill(process, signal) }
    }

    private func call(_ caller: [SIPCaller.Step], _ phoneSteps: [SIPPhone.Step]) async throws -> (
        Subscriber, Program, Program, SIPPhone
    ) {
        let callee = try await Subscriber.make(in: try await Self.system.value, ringSeconds: 60)
        let phone = SIPPhone(in: callee.system.folder, steps: phoneSteps)
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        let call = try await SIPCaller(system: callee.system, number: callee.number, steps: answered + caller).start()
        _ = try await callee.record("answered")
        return (callee, call, program, phone)
    }

    @Test func bothSidesCanHangUpAndTheRecordsAreRight() async throws {
        let system = try await Self.system.value
        let tone = system.folder.file("440.ul")
        try Tone.raw(frequency: 440, seconds: 1, encode: Tone.muLaw).write(to: URL(fileURLWithPath: tone))
        let stream = SIPPhone.Step.stream(path: tone)
        let first = try await call(
            [.pause(milliseconds: 20_000), .hangUp], [.respond(180), .answer, stream, .awaitHangUp])
        let second = try await call(
            [.awaitHangUp], [.respond(180), .answer, stream, .pause(milliseconds: 45_000), .hangUp])
        let third = try await call(
            [.pause(milliseconds: 75_000), .hangUp], [.respond(180), .answer, stream, .awaitHangUp])
        try signal(system, SIGSTOP)
        let stopped = ContinuousClock.now
        for (_, caller, program, phone) in [first, second] {
            #expect(await caller.finish(within: .seconds(60)).status == 0)
            let output = await program.finish(within: .seconds(20))
            #expect(output.status == 0, "\(output.standardError)\(phone.log)")
        }
        try await Task.sleep(until: stopped + .seconds(60), clock: .continuous)
        try signal(system, SIGCONT)
        #expect(await third.1.finish(within: .seconds(60)).status == 0)
        #expect(await third.2.finish(within: .seconds(20)).status == 0)
        for ((callee, _, _, _), (reason, seconds)) in zip(
            [first, second, third], [("callerHungUp", 19...22), ("calleeHungUp", 44...47), ("callerHungUp", 74...77)])
        {
            let record = try await callee.record("completed")
            #expect((record["termination"] as? [String: Any])?["reason"] as? String == reason)
            #expect(seconds.contains(record["durationSeconds"] as? Int ?? -1), "\(record)")
            #expect(try await callee.records.count == 1)
        }
        try await system.recovered()
        try await expectNothingLeft(system)
    }
}
