import Foundation
import Testing

/// Calls of users: out through trunks, and to each other.
@Suite(.serialized) struct TrunkCallTests {
    private static let system = SharedSystem()

    private let answered: [SIPCaller.Step] = [
        .expect(100, optional: true), .expect(180, optional: true), .expect(200), .acknowledge,
    ]

    /// What a user's phone dials.
    private func call(_ number: String, by caller: Subscriber, steps: [SIPCaller.Step]) async throws -> SIPCaller {
        var call = SIPCaller(system: caller.system, number: number, steps: steps)
        call.address = BellwireSystem.freshAddress()
        call.caller = caller.identity
        try await caller.add(phone: "sip:\(caller.identity)@\(call.address!):5061")
        return call
    }

    @Test func aUserCallsOutThroughATrunkThatWantsAPassword() async throws {
        let alice = try await Subscriber.make(in: try await Self.system.value)
        let folder = alice.system.folder
        let unreachable = BellwireSystem.freshAddress()
        let trunk = SIPPhone(
            in: folder,
            steps: [.challenge(realm: "trunk"), .respond(180), .answer, .pause(milliseconds: 1500), .hangUp])
        let program = try await trunk.start()
        try await alice.makeTrunk("dead", host: unreachable, "--prefixes", "+4420")
        try await alice.makeTrunk("live", host: trunk.address, "--username", "bellwire", "--password", "secret")
        try await call("+442079460123", by: alice, steps: answered + [.awaitHangUp]).run()
        let output = await program.finish(within: .seconds(40))
        #expect(output.status == 0, "\(output.standardError)\(trunk.log)")
        #expect(trunk.log.contains("INVITE sip:+442079460123@"))
        #expect(trunk.log.contains("username=\"bellwire\""))
        #expect(trunk.log.contains("P-Asserted-Identity: <sip:\(alice.number)@"))
        let record = try await alice.record("completed")
        #expect(record["direction"] as? String == "outbound")
        #expect(record["remotePhoneNumber"] as? String == "+442079460123")
        #expect(record["localPhoneNumber"] as? String == alice.number)
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == "calleeHungUp")
        #expect((1...2).contains(record["durationSeconds"] as? Int ?? -1))
        #expect(try await alice.records.count == 1)
        try await expectNothingLeft(alice.system)
    }

    /// Passwords are stored with no call: the next process asks for them again.
    @Test func aTrunkThatWantsThePasswordForTheByeGetsItAlsoAfterARestart() async throws {
        let alice = try await Subscriber.make(in: try await Self.system.value)
        let trunk = SIPPhone(
            in: alice.system.folder,
            steps: [.challenge(realm: "trunk"), .respond(180), .answer, .challengeHangUp(realm: "trunk")])
        let program = try await trunk.start()
        try await alice.makeTrunk("live", host: trunk.address, "--username", "bellwire", "--password", "secret")
        let caller = try await call(
            "+442079460123", by: alice, steps: answered + [.pause(milliseconds: 7000), .hangUp]
        ).start()
        _ = try await alice.record("answered")
        try await alice.system.kill("calls")
        try await alice.system.recovered()
        #expect(await caller.finish(within: .seconds(40)).status == 0)
        let output = await program.finish(within: .seconds(40))
        #expect(output.status == 0, "\(output.standardError)\(trunk.log)")
        let byes = trunk.log.components(separatedBy: "\nBYE ").dropFirst()
        #expect(byes.count == 2 && byes.last?.contains("username=\"bellwire\"") == true)
        #expect(!trunk.log.contains("secret"))
        _ = try await alice.record("completed")
        try await expectNothingLeft(alice.system)
    }

    @Test(arguments: [(486, "busy"), (404, "numberUnknown")])
    func theCallerHearsWhatTheFarSideSaid(status: Int, reason: String) async throws {
        let alice = try await Subscriber.make(in: try await Self.system.value)
        let trunk = SIPPhone(in: alice.system.folder, steps: [.respond(status)])
        let program = try await trunk.start()
        try await alice.makeTrunk("out", host: trunk.address)
        try await call(
            "+442079460123", by: alice, steps: [.expect(100, optional: true), .refused(status)]
        ).run()
        _ = await program.finish(within: .seconds(20))
        let record = try await alice.record("unanswered")
        #expect((record["termination"] as? [String: Any])?["reason"] as? String == reason)
        try await expectNothingLeft(alice.system)
    }

    @Test func usersCallEachOtherAndEachHasARecord() async throws {
        let system = try await Self.system.value
        let alice = try await Subscriber.make(in: system)
        let bob = try await Subscriber.make(in: system, ringSeconds: 60)
        let phone = SIPPhone(in: system.folder, steps: [.respond(180), .answer, .awaitHangUp])
        let program = try await phone.start()
        try await bob.add(phone: phone.uri)
        try await call(bob.number, by: alice, steps: answered + [.pause(milliseconds: 1200), .hangUp]).run()
        _ = await program.finish(within: .seconds(20))
        let outbound = try await alice.record("completed")
        let inbound = try await bob.record("completed")
        #expect(outbound["direction"] as? String == "outbound")
        #expect(outbound["remotePhoneNumber"] as? String == "client:\(bob.identity)")
        #expect(inbound["direction"] as? String == "inbound")
        #expect(inbound["remotePhoneNumber"] as? String == "client:\(alice.identity)")
        #expect(inbound["callId"] as? String == outbound["callId"] as? String)
        #expect(try await alice.records.count == 1)
        #expect(try await bob.records.count == 1)
        try await expectNothingLeft(system)
    }

    @Test func aStrangerDoesNotLeaveThroughATrunk() async throws {
        let alice = try await Subscriber.make(in: try await Self.system.value)
        try await alice.makeTrunk("out", host: BellwireSystem.freshAddress())
        var stranger = SIPCaller(
            system: alice.system, number: "+442079460123", steps: [.expect(100, optional: true), .refused(404)])
        stranger.caller = alice.identity
        try await stranger.run()
        #expect(try await alice.records.isEmpty)
    }
}
