import CallsCore
import Domain
import Testing

@Suite("A call that runs its course")
struct CallStateMachineTests {
    @Test("rings out, is diverted, leaves a message and is hung up")
    func message() {
        var call = MachineDriver()
        #expect(call.send(.calleeFound(MachineDriver.plan)) == [.store(call.progress)])
        #expect(call.progress.state == .authorized)
        #expect(call.send(.stored(version: 1, .durable)) == [.findDevices])
        #expect(call.send(.devicesKnown(count: 0)) == [.store(call.progress)])
        #expect(call.progress.state == .ringing)
        #expect(call.send(.stored(version: 2, .durable)) == [.sendRinging, .startRingTimer(.seconds(30))])
        #expect(call.send(.ringTimeOver) == [.cancelRingTimer, .store(call.progress), .offerToRelay])
        #expect(call.progress.state == .unanswered)
        #expect(call.progress.termination == Termination(.noAnswer, by: .callee))
        #expect(call.progress.divertedToVoicemail)
        #expect(call.progress.ended == nil)
        #expect(call.send(.relayOffered) == [.takeCall])
        #expect(call.send(.voicemailAnswered) == [.answerToRelay])
        #expect(call.send(.relayAnswered) == [.saveDialog])
        #expect(call.send(.dialogSaved) == [.sendAnswer])
        #expect(call.send(.callerAcknowledged) == [.keep])
        #expect(
            call.send(.voicemailEnded) == [.deleteRelaySession, .store(call.progress), .sendBye(nil), .finish])
        #expect(call.progress.termination == Termination(.noAnswer, by: .callee))
        #expect(call.progress.ended != nil)
        #expect(call.stored.map(\.state) == [.authorized, .ringing, .unanswered, .unanswered])
        #expect(call.stored.map(\.version) == [1, 2, 3, 4])
        #expect(call.finalResponses == [200])
    }

    @Test("is declined at once by policy, without ringing")
    func declined() {
        var call = MachineDriver()
        call.send(.calleeFound(MachineDriver.decliningPlan))
        #expect(call.send(.stored(version: 1, .durable)) == [.store(call.progress), .offerToRelay])
        #expect(call.progress.termination == Termination(.declined, by: .callee))
        #expect(call.progress.ringing == nil)
        #expect(call.count(of: .sendRinging) == 0)
    }

    @Test(
        "is refused unstored",
        arguments: [
            (TerminationReason.numberUnknown, 404), (.numberInvalid, 484), (.emergencyNotRouted, 403),
            (.overCapacity, 503), (.relayFailed, 503),
        ])
    func refused(reason: TerminationReason, status: Int) {
        var call = MachineDriver()
        #expect(call.send(.refused(reason)) == [.reject(status: status, reason), .finish])
        #expect(call.stored.isEmpty)
        #expect(call.progress.termination == Termination(reason, by: .server))
        #expect(call.send(.calleeFound(MachineDriver.plan)) == [])
    }

    @Test("without a common codec is stored, then ends unanswered with 488")
    func noCommonCodec() {
        var call = MachineDriver(hasCommonCodec: false)
        call.send(.calleeFound(MachineDriver.plan))
        let actions = call.send(.stored(version: 1, .durable))
        #expect(actions == [.store(call.progress), .reject(status: 488, .noCommonCodec), .finish])
        #expect(call.stored.map(\.state) == [.authorized, .unanswered])
        #expect(call.progress.ended != nil)
    }

    @Test("that cannot be stored is refused with 503, and closed in case it was stored after all")
    func notStored() {
        var call = MachineDriver(after: [.calleeFound(MachineDriver.plan)])
        let actions = call.send(.stored(version: 1, .failed))
        #expect(actions == [.store(call.progress), .reject(status: 503, .overCapacity), .finish])
        #expect(call.progress.version == 2)
    }

    @Test("goes on while the store is away")
    func deferred() {
        var call = MachineDriver(after: [
            .calleeFound(MachineDriver.plan), .stored(version: 1, .durable), .devicesKnown(count: 0),
        ])
        #expect(call.send(.stored(version: 2, .deferred)) == [.sendRinging, .startRingTimer(.seconds(30))])
    }

    @Test("is not rung before the step is stored")
    func durableBeforeRinging() {
        var call = MachineDriver(after: [
            .calleeFound(MachineDriver.plan), .stored(version: 1, .durable), .devicesKnown(count: 0),
        ])
        #expect(call.count(of: .sendRinging) == 0)
        #expect(call.send(.stored(version: 1, .durable)) == [])
        #expect(call.send(.ringTimeOver) == [])
        #expect(call.machine.phase == .storingRinging(MachineDriver.plan))
    }
}
