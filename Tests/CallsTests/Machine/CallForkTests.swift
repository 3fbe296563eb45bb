import CallsCore
import Domain
import Testing

@Suite("The legs of a call")
struct CallForkTests {
    /// Called and stored.
    private static func fork(_ count: Int, isSequential: Bool = false) -> CallFork {
        var fork = CallFork(legs: count, isSequential: isSequential)
        let first = fork.start()
        #expect(fork.stored(first) == first)
        return fork
    }

    @Test("phones are called all at once, trunks one after the other")
    func start() {
        #expect(Self.fork(3).open == [0, 1, 2])
        #expect(Self.fork(3, isSequential: true).open == [0])
        var empty = CallFork(legs: 0, isSequential: false)
        #expect(empty.start() == [])
    }

    @Test("a leg is called once, however often it is stored")
    func once() {
        var fork = Self.fork(2)
        #expect(fork.stored([0, 1, 7]) == [])
        #expect(fork.unheard == [0, 1])
        #expect(fork.rang(1) == true)
        #expect(fork.unheard == [0])
    }

    @Test("the first answer wins, every later one comes too late, and the others are named once")
    func firstAnswer() {
        var fork = Self.fork(3)
        #expect(fork.rang(2) == true)
        #expect(fork.answered(1) == [0, 2])
        #expect(fork.winner == 1)
        #expect(fork.answered(0) == nil)
        #expect(fork.answered(1) == nil)
        #expect(fork.rang(2) == false)
        #expect(fork.failed(2, .busy) == .nothing)
        #expect(fork.close(.callerHungUp) == [])
        #expect(fork.legs == [.ended(.answeredElsewhere), .answered, .ended(.answeredElsewhere)])
    }

    @Test("one decline ends one leg; none left, the weightiest word counts")
    func exhausted() {
        for (reasons, expected) in [
            ([.noDevice, .declined, .busy], TerminationReason.declined), ([.busy, .noAnswer, .noDevice], .busy),
            ([.noDevice, .noCommonCodec, .noDevice], .noCommonCodec), ([.noAnswer, .noDevice, .noDevice], .noAnswer),
            ([.noDevice, .noDevice, .noDevice], .noDevice),
        ] as [([TerminationReason], TerminationReason)] {
            var fork = Self.fork(3)
            #expect(fork.failed(2, reasons[0]) == .nothing)
            #expect(fork.failed(0, reasons[1]) == .nothing)
            #expect(fork.failed(0, .declined) == .nothing)
            #expect(fork.failed(1, reasons[2]) == .exhausted(expected))
        }
    }

    @Test("the next trunk is tried when one cannot take the call, not when the far side said no")
    func hunting() {
        var fork = Self.fork(3, isSequential: true)
        #expect(fork.failed(0, .trunkUnavailable) == .next(1))
        #expect(fork.stored([1]) == [1])
        #expect(fork.failed(1, .busy) == .exhausted(.busy))
        var unlucky = Self.fork(2, isSequential: true)
        #expect(unlucky.failed(0, .trunkUnavailable) == .next(1))
        #expect(unlucky.failed(1, .trunkUnavailable) == .exhausted(.trunkUnavailable))
    }

    @Test("what is closed before it is stored is never called")
    func closedEarly() {
        var fork = CallFork(legs: 2, isSequential: false)
        let first = fork.start()
        #expect(fork.close(.callerCancelled) == [0, 1])
        #expect(fork.stored(first) == [])
        #expect(fork.answered(0) == nil)
    }
}
