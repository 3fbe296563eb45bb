import CallsCore
import Domain

/// A call to two phones, of which the second answers, event by event.
enum LegWay {
    typealias Event = CallStateMachine.Event

    static let phones = CallStateMachine.RingPlan(ringTime: .seconds(30), declines: false, legs: 2)
    static let trunks = CallStateMachine.RingPlan(
        ringTime: .seconds(180), declines: false, legs: 2, isThroughTrunk: true)

    static let talk: [Event] = [
        .calleeFound(phones), .stored(version: 1, .durable), .relayOffered, .legsStored([0, 1]), .legRang(1),
        .legAnswered(1), .relayAnswered, .stored(version: 3, .durable), .callerAcknowledged,
    ]

    static let toPreparing = Array(talk.prefix(2))
    static let toTrying = Array(talk.prefix(4))
    static let toRinging = Array(talk.prefix(5))
    static let toJoining = Array(talk.prefix(6))
    static let toSavingAnswer = Array(talk.prefix(7))
    static let toTalking = talk

    static let toTrunkTrying: [Event] = [
        .calleeFound(trunks), .stored(version: 1, .durable), .relayOffered, .legsStored([0]),
    ]

    static let disturbances: [Event] = [
        .legRang(0), .legRang(1), .legDescribed(0), .earlyMediaReady, .legAnswered(0), .legAnswered(1),
        .legFailed(0, .declined), .legFailed(1, .busy), .legsStored([0, 1]), .calleeHungUp, .signallingLost(.caller),
        .signallingLost(.callee), .sessionExpired, .mediaStopped, .ringTimeOver, .callerCancelled, .callerHungUp,
        .acknowledgementMissing, .relayFailed, .relayAnswered, .voicemailAnswered, .voicemailLost, .voicemailEnded,
        .dialogSaved, .operatorHungUp, .shutdown, .leaseLost, .stored(version: 2, .durable),
        .stored(version: 3, .deferred), .endKeyPressed,
    ]
}
