import Foundation
import Glibc
import Runtime
import Testing

/// Sides that are there no more, without a word: the call ends on the other side too, and its record says why.
@Suite(.serialized) struct VanishedPeerTests {
    private static let system = SharedSystem()

    private let answered: [SIPCaller.Step] = [
        .expect(100, optional: true), .expect(180), .expect(200), .acknowledge,
    ]

    private func expect(_ callee: Subscriber, _ reason: String, by side: String, seconds: ClosedRange<Int>) async throws
    {
        let record = try await callee.record("completed")
        let termination = record["termination"] as? [String: Any]
        #expect(termination?["reason"] as? String == reason)
        #expect(termination?["side"] as? String == side)
        #expect(seconds.contains(record["durationSeconds"] as? Int ?? -1), "\(record)")
        #expect(try await callee.records.count == 1)
        try await expectNothingLeft(callee.system)
    }

    @Test func aCallInWhichNobodySendsAPacketEndsOnBothSides() async throws {
        let callee = try await Subscriber.make(in: try await Self.system.value, ringSeconds: 60)
        let phone = SIPPhone(in: callee.system.folder, steps: [.respond(180), .answer, .awaitHangUp])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        try await SIPCaller(system: callee.system, number: callee.number, steps: answered + [.awaitHangUp]).run()
        let output = await program.finish(within: .seconds(30))
        #expect(output.status == 0, "\(output.standardError)\(phone.log)")
        #expect(phone.log.contains("text=\"mediaTimeout\""))
        try await expect(callee, "mediaTimeout", by: "server", seconds: 30...34)
    }

    /// The caller's machine stands still; the phone talks on, and then holds: nobody answers the re-INVITE for 32 s.
    @Test func aSideThatAnswersNoRequestIsGone() async throws {
        let callee = try await Subscriber.make(in: try await Self.system.value, ringSeconds: 60)
        let tone = callee.system.folder.file("440.ul")
        try Tone.raw(frequency: 440, seconds: 1, encode: Tone.muLaw).write(to: URL(fileURLWithPath: tone))
        let phone = SIPPhone(
            in: callee.system.folder,
            steps: [.respond(180), .answer, .stream(path: tone), .pause(milliseconds: 4000), .holdInVain])
        let program = try await phone.start()
        try await callee.add(phone: phone.uri)
        let caller = try await SIPCaller(
            system: callee.system, number: callee.number, steps: answered + [.awaitHangUp]
        ).start()
        _ = try await callee.record("answered")
        caller.child.signal(SIGSTOP)
        let output = await program.finish(within: .seconds(60))
        #expect(output.status == 0, "\(output.standardError)\(phone.log)")
        #expect(phone.log.contains("text=\"signallingLost\""))
        caller.child.signal(SIGKILL)
        _ = await caller.finish(within: .seconds(10))
        try await expect(callee, "signallingLost", by: "caller", seconds: 34...40)
    }
}
