import CallsCore
import Domain
import Testing

/// Whatever comes, in whatever order, these hold.
@Suite("Every order of events")
struct CallInvariantTests {
    @Test("a repeated event changes nothing, at any point of the way")
    func repeated() {
        for length in 1...Way.message.count {
            var call = MachineDriver(after: Array(Way.message.prefix(length)))
            let before = call.progress
            let phase = call.machine.phase
            for event in Way.message.prefix(length) {
                #expect(call.send(event) == [])
                #expect(call.progress == before)
                #expect(call.machine.phase == phase)
            }
        }
    }

    @Test("an event of a later moment changes nothing before its time")
    func early() {
        for length in 0..<(Way.message.count - 1) {
            var call = MachineDriver(after: Array(Way.message.prefix(length)))
            let phase = call.machine.phase
            for event in Way.message.dropFirst(length + 1) {
                #expect(call.send(event) == [])
                #expect(call.machine.phase == phase)
            }
        }
    }

    @Test("nothing moves a call that has ended")
    func late() {
        for length in 0...Way.message.count {
            for ending in Way.all {
                var call = MachineDriver(after: Array(Way.message.prefix(length)) + [ending])
                guard call.machine.isEnded else { continue }
                let before = call.progress
                for event in Way.all { #expect(call.send(event) == []) }
                #expect(call.progress == before)
            }
        }
    }

    @Test("two disturbances at every point of the way leave one honest end")
    func disturbed() {
        for length in 0...Way.message.count {
            for first in Way.all {
                for second in Way.all {
                    var call = MachineDriver(after: Array(Way.message.prefix(length)))
                    call.send(first)
                    call.send(second)
                    // Whoever is still there gets what is missing.
                    for event in Way.message { call.send(event) }
                    call.send(.voicemailEnded)
                    check(call)
                }
            }
        }
    }

    @Test("twenty thousand random walks", arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) {
        var generator = SplitMix(state: seed)
        for _ in 0..<5_000 {
            var call = MachineDriver(hasCommonCodec: Int.random(in: 0..<8, using: &generator) > 0)
            var next = 0
            for _ in 0..<60 {
                if next < Way.message.count, Int.random(in: 0..<4, using: &generator) > 0 {
                    call.send(Way.message[next])
                    next += 1
                } else if let event = Way.all.randomElement(using: &generator) {
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
            #expect(earlier.updated <= later.updated)
            if let termination = earlier.termination { #expect(later.termination == termination) }
            #expect(earlier.ended == nil)
        }
        #expect(call.finalResponses.count <= 1)
        #expect(call.byes <= 1)
        #expect(call.count(of: .finish) <= 1)
        #expect(call.count(of: .offerToRelay) <= 1)
        #expect(call.count(of: .leaveVoicemail) <= call.count(of: .takeCall))
        #expect(call.count(of: .deleteRelaySession) <= call.count(of: .offerToRelay))
        guard call.machine.isEnded, let last = stored.last else { return }
        let gaveUp = last.ended == nil
        if !gaveUp {
            #expect(last.state.isFinal)
            #expect(last.termination != nil)
            #expect(call.count(of: .deleteRelaySession) == call.count(of: .offerToRelay))
            // Either the INVITE got its one final response, or a CANCEL did the caller's part.
            #expect(call.finalResponses.count == 1)
        }
    }
}

/// SplitMix64: a seeded generator, so that a walk that fails can be walked again.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
