import CallsCore
import Domain
import Testing

@Suite("A call that ends before its message does")
struct CallEndingTests {
    @Test("is cancelled while the directory is asked: 487, nothing stored")
    func cancelledUnstored() {
        var call = MachineDriver()
        #expect(call.send(.callerCancelled) == [.reject(status: 487, .callerCancelled), .finish])
        #expect(call.stored.isEmpty)
        #expect(call.progress.termination == Termination(.callerCancelled, by: .caller))
    }

    @Test("is cancelled at any moment before it is diverted", arguments: 1...4)
    func cancelledBeforeDiversion(steps: Int) {
        var call = MachineDriver(after: Array(Way.message.prefix(steps)))
        call.send(.callerCancelled)
        #expect(call.finalResponses == [487])
        #expect(call.progress.state == .unanswered)
        #expect(call.progress.termination == Termination(.callerCancelled, by: .caller))
        #expect(call.stored.last == call.progress)
        #expect(call.stored.map(\.version) == Array(1...UInt64(call.stored.count)))
        #expect(call.count(of: .cancelRingTimer) == (steps == 4 ? 1 : 0))
        #expect(call.machine.isEnded)
    }

    @Test("is cancelled while voicemail is asked: 487, and keeps the reason that diverted it", arguments: 5...8)
    func cancelledInDiversion(steps: Int) {
        var call = MachineDriver(after: Array(Way.message.prefix(steps)))
        call.send(.callerCancelled)
        #expect(call.finalResponses == [487])
        #expect(call.progress.termination == Termination(.noAnswer, by: .callee))
        #expect(call.count(of: .deleteRelaySession) == 1)
        #expect(call.count(of: .leaveVoicemail) == (steps >= 6 ? 1 : 0))
        #expect(call.progress.ended != nil)
    }

    @Test("is over without a BYE when the CANCEL won against the 200")
    func cancelBeatsAnswer() {
        var call = MachineDriver(after: Way.toConnected)
        #expect(
            call.send(.callerCancelled) == [.leaveVoicemail, .deleteRelaySession, .store(call.progress), .finish])
        #expect(call.progress.termination == Termination(.noAnswer, by: .callee))
        #expect(call.byes == 0)
    }

    @Test("is not ended by a CANCEL that comes after the ACK")
    func cancelAfterAnswer() {
        var call = MachineDriver(after: Way.toRecording)
        #expect(call.send(.callerCancelled) == [])
        #expect(!call.machine.isEnded)
    }

    @Test("ends with a BYE when the caller presses # by INFO")
    func endKey() {
        var call = MachineDriver(after: Way.toRecording)
        #expect(
            call.send(.endKeyPressed) == [
                .leaveVoicemail, .deleteRelaySession, .store(call.progress), .sendBye(nil), .finish,
            ])
        var ringing = MachineDriver(after: Way.toRinging)
        #expect(ringing.send(.endKeyPressed) == [])
    }

    @Test("is hung up in the greeting or in the message")
    func hungUpByCaller() {
        for way in [Way.toConnected, Way.toRecording] {
            var call = MachineDriver(after: way)
            #expect(
                call.send(.callerHungUp) == [
                    .leaveVoicemail, .deleteRelaySession, .store(call.progress), .finish,
                ])
            #expect(call.progress.termination == Termination(.noAnswer, by: .callee))
            #expect(call.byes == 0)
        }
    }

    @Test("ends once when the caller's BYE crosses the message's end")
    func byeCrossesEnd() {
        var call = MachineDriver(after: Way.toRecording)
        call.send(.callerHungUp)
        #expect(call.send(.voicemailEnded) == [])
        #expect(call.byes == 0)

        var other = MachineDriver(after: Way.toRecording)
        other.send(.voicemailEnded)
        #expect(other.send(.callerHungUp) == [])
        #expect(other.byes == 1)
        #expect(other.stored.count == 4)
    }

    @Test("says BYE only after the ACK")
    func byeWaitsForAcknowledgement() {
        var call = MachineDriver(after: Way.toConnected)
        #expect(call.send(.voicemailLost) == [.retakeCall])
        #expect(call.send(.voicemailLost) == [.deleteRelaySession, .store(call.progress)])
        #expect(call.byes == 0)
        #expect(call.send(.callerAcknowledged) == [.sendBye(.serverError), .finish])
        #expect(call.send(.callerAcknowledged) == [])
    }

    @Test("is recorded by another each time whoever recorded is gone, up to a limit")
    func retaken() {
        var call = MachineDriver(after: Way.toRecording)
        for _ in 1...CallStateMachine.maximumRetakes {
            #expect(call.send(.voicemailLost) == [.retakeCall])
            #expect(call.send(.voicemailAnswered) == [.answerToRelay])
            #expect(call.send(.relayAnswered) == [])
            #expect(call.send(.voicemailAnswered) == [])
        }
        #expect(call.send(.voicemailLost).last == .finish)
        #expect(call.progress.termination == Termination(.noAnswer, by: .callee))
    }

    @Test("ends when nobody goes on with the message")
    func notRetaken() {
        var call = MachineDriver(after: Way.toRecording)
        #expect(call.send(.voicemailLost) == [.retakeCall])
        #expect(call.send(.voicemailLost).last == .finish)
    }

    @Test("says BYE when the ACK never comes")
    func noAcknowledgement() {
        var call = MachineDriver(after: Way.toConnected)
        #expect(
            call.send(.acknowledgementMissing) == [
                .leaveVoicemail, .deleteRelaySession, .store(call.progress), .sendBye(.signallingLost), .finish,
            ])
        #expect(call.progress.termination == Termination(.noAnswer, by: .callee))

        var ending = MachineDriver(after: Way.toConnected + [.voicemailEnded])
        #expect(ending.send(.acknowledgementMissing) == [.sendBye(nil), .finish])
    }

    @Test("gets the diverting reason's status when no voicemail takes it")
    func voicemailUnavailable() {
        for event in [CallStateMachine.Event.voicemailLost, .voicemailEnded] {
            for way in [Way.toTakingCall, Way.toAnswering, Way.toSavingDialog] {
                var call = MachineDriver(after: way)
                call.send(event)
                #expect(call.finalResponses == [480])
                #expect(call.progress.termination == Termination(.noAnswer, by: .callee))
                #expect(!call.progress.divertedToVoicemail)
                #expect(call.progress.ended != nil)
                #expect(call.count(of: .deleteRelaySession) == 1)
            }
        }
    }

    @Test("is told 503, whatever diverted it, when the relay refuses")
    func relayRefuses() {
        for way in [Way.toTakingCall, Way.toAnswering, Way.toSavingDialog] {
            var call = MachineDriver(after: way)
            call.send(.relayFailed)
            #expect(call.finalResponses == [503])
            #expect(!call.progress.divertedToVoicemail)
        }
        var declined = MachineDriver(after: [
            .calleeFound(MachineDriver.decliningPlan), .stored(version: 1, .durable), .relayFailed,
        ])
        #expect(declined.finalResponses == [503])
        #expect(declined.send(.relayOffered) == [])
    }

    @Test("is told when the relay dies under the message")
    func relayLost() {
        var call = MachineDriver(after: Way.toRecording)
        #expect(
            call.send(.relayFailed) == [
                .leaveVoicemail, .deleteRelaySession, .store(call.progress), .sendBye(.relayFailed), .finish,
            ])
    }

    @Test("is hung up by the operator while it rings, and while it records")
    func operatorHungUp() {
        var ringing = MachineDriver(after: Way.toRinging)
        ringing.send(.operatorHungUp)
        #expect(ringing.finalResponses == [603])
        #expect(ringing.progress.termination == Termination(.declined, by: .server))
        #expect(!ringing.progress.divertedToVoicemail)

        var recording = MachineDriver(after: Way.toRecording)
        recording.send(.operatorHungUp)
        #expect(recording.byes == 1)
        #expect(recording.count(of: .leaveVoicemail) == 1)
        #expect(recording.progress.termination == Termination(.noAnswer, by: .callee))
    }

    @Test("is closed as restarted when its process must go")
    func shutdown() {
        var ringing = MachineDriver(after: Way.toRinging)
        ringing.send(.shutdown)
        #expect(ringing.finalResponses == [503])
        #expect(ringing.progress.termination == Termination(.serverRestarted, by: .server))

        var recording = MachineDriver(after: Way.toRecording)
        recording.send(.shutdown)
        #expect(recording.count(of: .sendBye(.serverRestarted)) == 1)
        #expect(recording.progress.termination == Termination(.noAnswer, by: .callee))
    }

    @Test("says and stores nothing once its slot belongs to another instance")
    func leaseLost() {
        for length in 0...Way.message.count {
            var call = MachineDriver(after: Array(Way.message.prefix(length)))
            let actions = call.send(.leaseLost)
            #expect(actions.last == .finish)
            for action in actions {
                #expect([.cancelRingTimer, .leaveVoicemail, .finish].contains(action))
            }
            #expect(call.send(.leaseLost) == [])
        }
    }
}
