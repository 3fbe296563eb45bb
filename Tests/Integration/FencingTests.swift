import Foundation
import Glibc
import Runtime
import Testing

/// An instance of `calls` stands still for longer than its lease, and wakes when another has its address and its calls: it
/// says nothing to anybody, and takes part again.
@Suite(.serialized) struct FencingTests {
    private static let pair = SharedPair()

    /// Longer than the lease and what is due within it.
    private func sleepTwoLeases() async throws {
        try await Task.sleep(for: .seconds(2 * CallsPair.leaseSeconds + 1))
    }

    private func messages(_ phone: SIPPhone, starting start: String) -> Int {
        phone.log.split(separator: "\n").count { $0.hasPrefix(start) }
    }

    /// Calls of the second instance go on in the first; what was due in the second meanwhile comes due once.
    @Test func whoeverWakesUpWithoutItsSlotsSaysNothing() async throws {
        let pair = try await Self.pair.value
        let system = pair.system
        let second = try await pair.startSecond()
        let probe = try OptionsProbe(server: second.address)

        // One call talks, another rings until its ring time is over, which is while the process stands still.
        let talker = try await Subscriber.make(in: system, ringSeconds: 60)
        let talking = SIPPhone(in: system.folder, steps: [.respond(180), .answer, .awaitHangUp])
        let talkingProgram = try await talking.start()
        try await talker.add(phone: talking.uri)
        let caller = try await SIPCaller(
            system: system, number: talker.number,
            steps: [
                .expect(100, optional: true), .expect(180), .expect(200), .acknowledge, .pause(milliseconds: 9000),
                .hangUp,
            ], server: second.address
        ).start()
        _ = try await talker.record("answered")
        let sleeper = try await Subscriber.make(in: system, ringSeconds: 4)
        try await sleeper.setShortGreeting()
        let ringing = SIPPhone(in: system.folder, steps: [.respond(180), .awaitCancel])
        let ringingProgram = try await ringing.start()
        try await sleeper.add(phone: ringing.uri)
        let tone = system.folder.file("tone.ul")
        try Tone.raw(frequency: 440, seconds: 1, encode: Tone.muLaw).write(to: URL(fileURLWithPath: tone))
        let waiting = try await SIPCaller(
            system: system, number: sleeper.number,
            steps: [
                .expect(100, optional: true), .expect(180), .expect(100, optional: true), .expect(200), .acknowledge,
                .stream(path: tone, payloadType: 0), .pause(milliseconds: 6000), .hangUp,
            ], server: second.address
        ).start()
        _ = try await sleeper.record("ringing")
        probe.ask(1)
        _ = try await eventually("an answer of the second instance") { probe.answers() == [1] ? true : nil }

        second.program.child.signal(SIGSTOP)
        // These lie in its socket until it wakes.
        for number in 100..<120 { probe.ask(number) }
        try await pair.firstHasAll()
        #expect(ProcessTable.entry(second.program.child.identifier)?.state == "T")
        try await sleepTwoLeases()
        probe.ask(2)
        _ = try await eventually("an answer of the first instance") { probe.answers() == [2] ? true : nil }

        second.program.child.signal(SIGCONT)
        _ = try await eventually("that the second instance sees what it has lost") {
            try await pair.slots()["calls-2"] == [] ? true : nil
        }
        #expect(await caller.finish(within: .seconds(40)).status == 0)
        #expect(await talkingProgram.finish(within: .seconds(20)).status == 0)
        #expect(await waiting.finish(within: .seconds(40)).status == 0)
        #expect(await ringingProgram.finish(within: .seconds(20)).status == 0)
        #expect(probe.answers() == [], "it answered what had come to it before")

        // Each thing happened once: one CANCEL, one BYE, one message, one record a call.
        #expect(messages(ringing, starting: "CANCEL ") == 1)
        #expect(messages(talking, starting: "BYE ") == 1)
        _ = try await sleeper.voicemail()
        #expect(try await sleeper.voicemails.count == 1)
        #expect(try await sleeper.records.count == 1)
        let record = try await talker.record("completed")
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == "callerHungUp")
        try await expectNothingLeft(system)

        // It takes part again: an address comes back to it once that carries no call.
        _ = try await eventually("an address for the second instance") {
            try await pair.slots()["calls-2"]?.count == 1 ? true : nil
        }
        let address = pair.addresses[try #require(try await pair.slots()["calls-2"]?.first)]
        try await SIPCaller(
            system: system, number: "+12025559999", steps: [.expect(100, optional: true), .refused(404)],
            server: address
        ).run(within: .seconds(20))
        second.program.child.signal(SIGTERM)
        #expect(await second.program.finish(within: .seconds(20)).status == 0)
        try await pair.firstHasAll()
    }
}
