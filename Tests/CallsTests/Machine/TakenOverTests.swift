import CallsCore
import Domain
import Testing

/// What was stored before it was said may have been said by the process that is gone.
@Suite("A call that another process goes on with")
struct TakenOverTests {
    /// Each point of a call's way, seen by whoever takes it over there.
    private static let ways: [[CallStateMachine.Event]] = [Way.message, LegWay.talk].flatMap { way in
        (1...way.count).map { Array(way.prefix($0)) }
    }

    @Test("repeats the answer that may have been sent, and asks for another voicemail meanwhile")
    func answerOfVoicemail() {
        var call = MachineDriver(after: Way.toSavingDialog)
        #expect(call.resume() == [.retakeCall, .sendAnswer])
        #expect(call.send(.voicemailAnswered) == [.answerToRelay])
        #expect(call.send(.relayAnswered) == [])
        #expect(call.send(.callerAcknowledged) == [.keep])
        #expect(call.send(.voicemailEnded).suffix(2) == [.sendBye(nil), .finish])
    }

    @Test("is hung up, after the ACK, when no voicemail takes it after its answer")
    func noVoicemailAfterAnswer() {
        for event in [CallStateMachine.Event.voicemailLost, .voicemailEnded] {
            var call = MachineDriver(after: Way.toSavingDialog)
            call.resume()
            call.send(event)
            #expect(call.byes == 0)
            #expect(call.progress.ended != nil && call.progress.divertedToVoicemail)
            call.send(.callerAcknowledged)
            #expect(call.byes == 1)
            #expect(call.finalResponses == [200])
        }
    }

    @Test("is never refused once its answer was stored, whatever comes, before the resumption or after it")
    func noRefusalAfterAnswer() {
        for way in Self.ways {
            for event in Way.all + LegWay.disturbances {
                for isResumed in [false, true] {
                    var call = MachineDriver(after: way)
                    guard call.machine.isAnswered else { continue }
                    call.takeOver()
                    if isResumed { call.resume() }
                    let actions = call.send(event) + call.send(.callerAcknowledged) + call.send(.shutdown)
                    for case .reject(let status, _) in actions {
                        Issue.record("\(status) after \(way.last!), \(event), resumed: \(isResumed)")
                    }
                    // Whoever did not hang up, or lose the slot, is told.
                    let isGone = [.callerHungUp, .callerCancelled, .leaseLost].contains(event)
                    let byes = actions.count { if case .sendBye = $0 { true } else { false } }
                    #expect(byes == (isGone && call.byes == 0 ? 0 : 1), "after \(way.last!), \(event)")
                }
            }
        }
    }
}
