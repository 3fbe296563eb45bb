import CallsCore
import Domain
import Testing

@Suite("A call through trunks")
struct TrunkLegsTests {
    @Test("lets the caller hear what the network says before the answer")
    func earlyMedia() {
        var call = MachineDriver(after: LegWay.toTrunkTrying)
        #expect(call.send(.legDescribed(0)) == [.store(call.progress), .joinEarly(0)])
        #expect(call.progress.state == .ringing)
        #expect(call.send(.earlyMediaReady) == [.sendEarlyMedia])
        #expect(call.send(.legAnswered(0)) == [.cancelRingTimer, .joinLeg(0)])
        #expect(call.send(.earlyMediaReady) == [])
    }

    @Test("says nothing early for phones that ring together")
    func noEarlyMedia() {
        var call = MachineDriver(after: LegWay.toTrying)
        #expect(call.send(.legDescribed(0)) == [])
    }

    @Test("tries the next trunk, and tells the caller the last one's reason; nobody records a message")
    func hunting() {
        var call = MachineDriver(after: LegWay.toTrunkTrying)
        #expect(call.send(.legFailed(0, .trunkUnavailable)) == [.prepareLegs([1])])
        #expect(call.send(.legsStored([1])) == [.inviteLegs([1])])
        #expect(
            call.send(.legFailed(1, .busy)) == [
                .cancelRingTimer, .deleteRelaySession, .store(call.progress), .reject(status: 486, .busy), .finish,
            ])
        #expect(call.progress.termination == Termination(.busy, by: .callee))
        #expect(call.progress.state == .unanswered)
    }

    @Test("ends when nobody answers in the longest ring time")
    func noAnswer() {
        var call = MachineDriver(after: LegWay.toTrunkTrying)
        call.send(.legRang(0))
        call.send(.ringTimeOver)
        #expect(call.finalResponses == [480])
        #expect(call.count(of: .cancelLegs([0], .noAnswer)) == 1)
        #expect(call.count(of: .takeCall) == 0)
    }
}
