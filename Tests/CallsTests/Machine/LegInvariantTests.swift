import CallsCore
import Domain
import Testing

/// Whatever comes to a call with legs, in whatever order, these hold.
@Suite("Every order of events of a call with legs")
struct LegInvariantTests {
    @Test("two disturbances at every point of the way leave one honest end")
    func disturbed() {
        for way in [LegWay.talk, LegWay.toTrunkTrying] {
            for length in 0...way.count {
                for first in LegWay.disturbances {
                    for second in LegWay.disturbances {
                        var call = MachineDriver(after: Array(way.prefix(length)))
                        call.send(first)
                        call.send(second)
                        for event in way { call.send(event) }
                        check(call)
                    }
                }
            }
        }
    }

    @Test("nothing moves a call that has ended")
    func late() {
        for length in 0...LegWay.talk.count {
            for ending in LegWay.disturbances {
                var call = MachineDriver(after: Array(LegWay.talk.prefix(length)) + [ending])
                guard call.machine.isEnded else { continue }
                let before = call.progress
                for event in LegWay.disturbances {
                    // A phone that answers too late hears so.
                    let actions = call.send(event)
                    #expect(actions.allSatisfy { if case .dismissLeg = $0 { true } else { false } })
                }
                #expect(call.progress == before)
            }
        }
    }

    @Test("twenty thousand random walks", arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) {
        var generator = SplitMix(state: seed)
        for _ in 0..<5_000 {
            var call = MachineDriver()
            var next = 0
            let way = Bool.random(using: &generator) ? LegWay.talk : LegWay.toTrunkTrying
            for _ in 0..<40 {
                if next < way.count, Int.random(in: 0..<4, using: &generator) > 0 {
                    call.send(way[next])
                    next += 1
                } else if let event = LegWay.disturbances.randomElement(using: &generator) {
                    call.send(event)
                }
            }
            call.send(.shutdown)
            call.send(.callerAcknowledged)
            #expect(call.machine.isEnded)
            check(call)
        }
    }

    private func check(_ call: MachineDriver) {
        let stored = call.stored
        #expect(stored.map(\.version) == Array(1..<UInt64(stored.count + 1)))
        for (earlier, later) in zip(stored, stored.dropFirst()) {
            #expect(earlier.state == later.state || earlier.state.canMove(to: later.state))
            if let termination = earlier.termination { #expect(later.termination == termination) }
            #expect(earlier.ended == nil)
        }
        #expect(call.finalResponses.count <= 1)
        #expect(call.byes <= 1)
        #expect(call.count(of: .finish) <= 1)
        #expect(call.count(of: .offerToRelay) <= 1)
        #expect(call.count(of: .deleteRelaySession) <= call.count(of: .offerToRelay))
        checkLegs(call)
        guard call.machine.isEnded, let last = stored.last, last.ended != nil else { return }
        #expect(last.state.isFinal)
        #expect(last.termination != nil)
        #expect((last.answered == nil) == (last.state == .unanswered))
        #expect(call.count(of: .deleteRelaySession) == call.count(of: .offerToRelay))
        #expect(call.finalResponses.count == 1)
    }

    /// Each leg is called once at most, and one that was called is let go once at most: cancelled, dismissed or hung up.
    private func checkLegs(_ call: MachineDriver) {
        for leg in 0...1 {
            var invited = 0
            var cancelled = 0
            var hungUp = 0
            var acknowledged = 0
            for action in call.actions {
                switch action {
                case .inviteLegs(let legs): invited += legs.contains(leg) ? 1 : 0
                case .cancelLegs(let legs, _): cancelled += legs.contains(leg) ? 1 : 0
                case .hangUpLeg(leg, _): hungUp += 1
                case .acknowledgeLeg(leg): acknowledged += 1
                default: break
                }
            }
            #expect(invited <= 1)
            #expect(cancelled <= 1)
            #expect(hungUp <= 1)
            #expect(acknowledged <= 1)
            #expect(cancelled == 0 || acknowledged == 0)
        }
    }
}
