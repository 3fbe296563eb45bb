import CallsCore
import Domain
import Testing

@Suite("A call that phones ring for")
struct CallLegsTests {
    @Test("rings once, is answered by the first, and stores each step before anybody is promised it")
    func answered() {
        var call = MachineDriver()
        #expect(call.send(.calleeFound(LegWay.phones)) == [.store(call.progress)])
        #expect(call.send(.stored(version: 1, .durable)) == [.offerToRelay])
        #expect(call.send(.relayOffered) == [.prepareLegs([0, 1]), .startRingTimer(.seconds(30))])
        #expect(call.send(.legsStored([0, 1])) == [.inviteLegs([0, 1])])
        #expect(call.send(.legRang(0)) == [.store(call.progress), .sendRinging])
        #expect(call.progress.state == .ringing)
        #expect(call.send(.legRang(1)) == [])
        #expect(
            call.send(.legAnswered(1)) == [.cancelRingTimer, .cancelLegs([0], .answeredElsewhere), .joinLeg(1)])
        #expect(call.send(.relayAnswered) == [.store(call.progress)])
        #expect(call.progress.state == .answered)
        #expect(call.send(.stored(version: 3, .durable)) == [.acknowledgeLeg(1), .sendAnswer])
        #expect(call.send(.callerAcknowledged) == [.keep])
    }

    @Test("is completed by whichever side hangs up; the other is told")
    func hungUp() {
        var byCaller = MachineDriver(after: LegWay.toTalking)
        #expect(
            byCaller.send(.callerHungUp) == [
                .hangUpLeg(1, nil), .deleteRelaySession, .store(byCaller.progress), .finish,
            ])
        #expect(byCaller.progress.state == .completed)
        #expect(byCaller.progress.termination == Termination(.callerHungUp, by: .caller))
        #expect(byCaller.progress.ended != nil)

        var byCallee = MachineDriver(after: LegWay.toTalking)
        #expect(
            byCallee.send(.calleeHungUp) == [
                .deleteRelaySession, .store(byCallee.progress), .sendBye(nil), .finish,
            ])
        #expect(byCallee.progress.termination == Termination(.calleeHungUp, by: .callee))
    }

    @Test(
        "both sides are told why, when neither hung up",
        arguments: [
            (.sessionExpired, .sessionExpired, .server), (.mediaStopped, .mediaTimeout, .server),
            (.signallingLost(.callee), .signallingLost, .callee), (.acknowledgementMissing, .signallingLost, .caller),
            (.relayFailed, .relayFailed, .server), (.shutdown, .serverRestarted, .server),
        ] as [(CallStateMachine.Event, TerminationReason, CallSide)])
    func told(event: CallStateMachine.Event, reason: TerminationReason, side: CallSide) {
        var call = MachineDriver(after: LegWay.toTalking)
        #expect(
            call.send(event) == [
                .hangUpLeg(1, reason), .deleteRelaySession, .store(call.progress), .sendBye(reason), .finish,
            ])
        #expect(call.progress.state == .completed)
        #expect(call.progress.termination == Termination(reason, by: side))
    }

    @Test("is ended by the operator on both sides")
    func operatorHungUp() {
        var call = MachineDriver(after: LegWay.toTalking)
        call.send(.operatorHungUp)
        #expect(call.actions.contains(.hangUpLeg(1, nil)) && call.actions.contains(.sendBye(nil)))
        #expect(call.progress.termination == Termination(.calleeHungUp, by: .server))
    }

    @Test("goes to voicemail when its ring time is over, with the relay's ports of before", arguments: [4, 5])
    func diverted(steps: Int) {
        var call = MachineDriver(after: Array(LegWay.talk.prefix(steps)))
        #expect(
            call.send(.ringTimeOver) == [
                .cancelRingTimer, .cancelLegs([0, 1], .noAnswer), .store(call.progress), .takeCall,
            ])
        #expect(call.progress.termination == Termination(.noAnswer, by: .callee))
        #expect(call.progress.divertedToVoicemail)
        #expect(call.count(of: .offerToRelay) == 1)
        #expect(call.send(.legAnswered(0)) == [.dismissLeg(0, .answeredElsewhere)])
    }

    @Test("goes to voicemail once the last phone has refused, for the weightiest reason")
    func refused() {
        var call = MachineDriver(after: LegWay.toRinging)
        #expect(call.send(.legFailed(0, .declined)) == [])
        #expect(
            call.send(.legFailed(1, .busy)) == [.cancelRingTimer, .store(call.progress), .takeCall])
        #expect(call.progress.termination == Termination(.declined, by: .callee))
    }

    @Test("rings no phone any more once the caller has given up", arguments: 2...6)
    func cancelled(steps: Int) {
        var call = MachineDriver(after: Array(LegWay.talk.prefix(steps)))
        call.send(.callerCancelled)
        #expect(call.finalResponses == [487])
        #expect(call.progress.state == .unanswered)
        #expect(call.progress.termination == Termination(.callerCancelled, by: .caller))
        let isCalled = steps >= 3 && steps < 6
        #expect(call.count(of: .cancelLegs([0, 1], .callerCancelled)) == (isCalled ? 1 : 0))
        #expect(call.count(of: .dismissLeg(1, .callerCancelled)) == (steps == 6 ? 1 : 0))
        #expect(call.count(of: .deleteRelaySession) == 1)
        #expect(call.send(.legsStored([0, 1])) == [])
    }

    @Test("counts as answered, and as ended by the caller, when the CANCEL beats the 200 that is being stored")
    func cancelBeatsAnswer() {
        var call = MachineDriver(after: LegWay.toSavingAnswer)
        call.send(.callerCancelled)
        #expect(call.progress.state == .completed)
        #expect(call.progress.termination == Termination(.callerHungUp, by: .caller))
        #expect(call.count(of: .dismissLeg(1, .callerHungUp)) == 1)
        #expect(call.byes == 0)
        #expect(call.send(.stored(version: 3, .durable)) == [])
    }

    @Test("refuses the caller when the phone hangs up while its answer is stored")
    func hungUpInAnswer() {
        var call = MachineDriver(after: LegWay.toSavingAnswer)
        call.send(.calleeHungUp)
        #expect(call.finalResponses == [480])
        #expect(call.progress.state == .completed)
    }

    @Test("passes on the answer while the store is away")
    func storeAway() {
        var call = MachineDriver(after: LegWay.toSavingAnswer)
        #expect(call.send(.stored(version: 3, .deferred)) == [.acknowledgeLeg(1), .sendAnswer])
    }
}
