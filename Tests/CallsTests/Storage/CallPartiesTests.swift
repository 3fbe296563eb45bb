import CallsCore
import Domain
import RPC
import Testing
import Wire
import WireFormat

@Suite("Whose call it is", .timeLimit(.minutes(2)))
struct CallPartiesTests {
    private static func user(_ name: String, number: Bool = false) -> LocalParty {
        LocalParty(
            accountID: SampleCall.account.description, userID: BellwireID.make().description, identity: name,
            personaID: BellwireID.make().description, phoneNumberID: number ? BellwireID.make().description : "")
    }

    private static func facts(_ caller: CallerParty, _ callee: CalleeParty) -> CallFacts {
        CallFacts(id: .make(slot: 7), caller: caller, callee: callee)
    }

    @Test("any mix of users and outsiders comes back as it was stored, and each user has a record of their own")
    func roundTrip() async throws {
        let alice = Self.user("alice", number: true)
        let bob = Self.user("bob")
        let outside = CallerParty(number: "+12025550123", isWithheld: false, displayName: nil)
        let calls = [
            Self.facts(outside, CalleeParty(user: bob, number: "+12025550100", minimumMessageSeconds: 2)),
            Self.facts(
                CallerParty(number: "+12025550111", isWithheld: true, displayName: nil, user: alice),
                CalleeParty(user: nil, number: "+442079460123")),
            Self.facts(
                CallerParty(number: "client:alice", isWithheld: false, displayName: "Al", user: alice),
                CalleeParty(user: bob, number: "client:bob", minimumMessageSeconds: 1)),
        ]
        let base = try await CallDatabase()
        let lease = try await base.lease(slot: 7)
        for facts in calls {
            try await base.storage.write(SampleCall.create(facts), under: lease)
            #expect(try await base.storage.call(facts.id)?.facts == facts)
        }
        let events = try await base.published()
        #expect(events.map(\.owner) == [bob.userID, alice.userID, bob.userID])
        let parties = try events.map { event in
            let call = try CallsV1.CallEvent(wireBytes: event.payload).call
            return [call?.caller?.identity ?? "", call?.callee?.identity ?? ""]
        }
        #expect(parties == [["", "bob"], ["alice", ""], ["alice", "bob"]])
        let last = try CallsV1.CallEvent(wireBytes: try #require(events.last).payload).call
        #expect(last?.caller?.recordID == calls[2].id.callRecordID(of: .caller).description)
        #expect(last?.callee?.recordID == calls[2].id.callRecordID(of: .callee).description)
        await base.stop()
    }
}
