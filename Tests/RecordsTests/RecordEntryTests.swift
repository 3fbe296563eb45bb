import Domain
import RecordsCore
import Store
import Testing

@Suite struct RecordEntryTests {
    @Test("A call that nobody answers goes through its states once each; duration stays 0")
    func unanswered() throws {
        var call = CallScript()
        var entry = call.entry(of: .callee)
        var states: [CallState] = []
        for view in [
            call.view(.callee, .authorized), call.view(.callee, .queued), call.view(.callee, .ringing),
            call.view(.callee, .unanswered, because: Termination(.noAnswer, by: .server)),
        ] {
            entry.apply(view)
            states.append(try #require(entry.record).state)
        }
        #expect(states == [.authorized, .queued, .ringing, .unanswered])
        #expect(entry.version == 4)
        #expect(entry.record?.durationSeconds == 0)
        #expect(entry.record?.termination == Termination(.noAnswer, by: .server))
        #expect(entry.record?.direction == .inbound)
        #expect(entry.record?.id == call.id.callRecordID(of: .callee))
    }

    @Test(
        "Talk time is answer to end to the nearest second, without the ringing",
        arguments: [(5.0, 5), (5.4, 5), (5.5, 6), (0.4, 0), (0.5, 1), (306.0, 306), (0.0, 0), (-1.0, 0)])
    func duration(talk: Double, seconds: UInt32) {
        var call = CallScript()
        var entry = call.entry(of: .caller)
        entry.apply(call.view(.caller, .authorized))
        entry.apply(call.view(.caller, .ringing))
        call.answered = call.time(after: 10)
        entry.apply(call.view(.caller, .answered))
        #expect(entry.record?.durationSeconds == 0)
        call.ended = call.time(after: 10 + talk)
        entry.apply(call.view(.caller, .completed, because: Termination(.callerHungUp, by: .caller)))
        #expect(entry.record?.state == .completed)
        #expect(entry.record?.durationSeconds == seconds)
        #expect(entry.record?.direction == .outbound)
    }

    @Test("From every state, every later state is taken only downwards, and a final one stays")
    func allMoves() {
        for first in CallState.allCases where first != .unknown {
            for second in CallState.allCases {
                var call = CallScript()
                call.answered = call.time(after: 1)
                call.ended = call.time(after: 3)
                var entry = call.entry(of: .callee)
                let ending = Termination(first == .completed ? .callerHungUp : .noAnswer, by: .server)
                entry.apply(call.view(.callee, first, because: first.isFinal ? ending : nil))
                #expect(entry.record?.state == first)
                entry.apply(call.view(.callee, second, because: nil))
                let moves = first.canMove(to: second) || (second == .completed && !first.isFinal)
                #expect(entry.record?.state == (moves ? second : first), "\(first) to \(second)")
                #expect(entry.version == (moves ? 2 : 1), "\(first) to \(second)")
                if first.isFinal { #expect(entry.record?.termination == ending) }
            }
        }
    }

    @Test("Repeated and late events change nothing, not even what was seen last")
    func lateAndRepeated() {
        var call = CallScript()
        let views = [
            call.view(.callee, .authorized), call.view(.callee, .ringing),
            call.view(.callee, .unanswered, because: Termination(.declined, by: .callee)),
        ]
        var expected = call.entry(of: .callee)
        for view in views { expected.apply(view) }
        for late in views {
            var entry = expected
            entry.apply(late)
            #expect(entry == expected)
        }
    }

    @Test("A later change of the call that the owner cannot see makes no new version of the record")
    func invisibleChange() {
        var call = CallScript()
        var entry = call.entry(of: .callee)
        entry.apply(call.view(.callee, .unanswered, because: Termination(.noAnswer, by: .server)))
        let before = entry
        call.ended = call.time(after: 60)
        entry.apply(call.view(.callee, .unanswered, because: Termination(.noAnswer, by: .server)))
        #expect(entry.version == before.version)
        #expect(entry.record == before.record)
        #expect(entry.callVersion == before.callVersion + 1)
    }

    @Test("A diverted call keeps the reason that diverted it")
    func divertedReason() {
        var call = CallScript()
        var entry = call.entry(of: .callee)
        entry.apply(call.view(.callee, .unanswered, because: Termination(.declined, by: .callee)))
        entry.apply(call.view(.callee, .unanswered, because: Termination(.callerHungUp, by: .caller)))
        #expect(entry.record?.termination?.reason == .declined)
    }

    @Test(
        "A call refused before it began leaves no record; every other reason leaves one",
        arguments: [
            TerminationReason.numberUnknown, .numberInvalid, .emergencyNotRouted, .callerIdNotOwned, .notAllowed,
            .noCredit,
            .overCapacity,
        ])
    func refused(reason: TerminationReason) {
        var call = CallScript()
        var entry = call.entry(of: .caller)
        entry.apply(call.view(.caller, .unanswered, because: Termination(reason, by: .server)))
        #expect(entry.record == nil)
        #expect(entry.version == 0)
        for other in TerminationReason.allCases where other.record != RecordOutcome.none {
            var entry = call.entry(of: .caller)
            entry.apply(call.view(.caller, .unanswered, because: Termination(other, by: .server)))
            #expect(entry.record != nil, "\(other)")
        }
    }

    @Test("A record that stands is closed by a refusal that came late, not left open")
    func refusedAfterwards() {
        var call = CallScript()
        var entry = call.entry(of: .caller)
        entry.apply(call.view(.caller, .authorized))
        entry.apply(call.view(.caller, .unknown, because: Termination(.overCapacity, by: .server)))
        #expect(entry.record?.state == .unanswered)
        #expect(entry.record?.termination?.reason == .overCapacity)
    }

    @Test("The parties stay who they were when the call is bridged elsewhere later")
    func partiesStay() {
        var call = CallScript()
        var entry = call.entry(of: .caller)
        entry.apply(call.view(.caller, .authorized))
        call.remote = call.local
        entry.apply(call.view(.caller, .ringing))
        #expect(entry.record?.remotePhoneNumber == "+12025550123")
        #expect(entry.record?.direction == .outbound)
    }
}
