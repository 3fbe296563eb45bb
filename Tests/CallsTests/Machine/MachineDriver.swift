import CallsCore
import Domain

/// A machine, a clock that steps a millisecond for each event, and everything that came out.
struct MachineDriver {
    typealias Event = CallStateMachine.Event
    typealias Action = CallStateMachine.Action

    static let plan = CallStateMachine.RingPlan(ringTime: .seconds(30), declines: false)
    static let decliningPlan = CallStateMachine.RingPlan(ringTime: .seconds(30), declines: true)

    private(set) var machine: CallStateMachine
    private(set) var now = Moment(microseconds: 1_700_000_000_000_000)
    private(set) var actions: [Action] = []

    init(hasCommonCodec: Bool = true, after events: [Event] = []) {
        machine = CallStateMachine(hasCommonCodec: hasCommonCodec, now: now)
        for event in events { send(event) }
    }

    @discardableResult
    mutating func send(_ event: Event) -> [Action] {
        now = now + .milliseconds(1)
        let new = machine.handle(event, now: now)
        actions += new
        return new
    }

    /// As another process does with what was stored last.
    mutating func takeOver() { machine.takeOver() }

    @discardableResult
    mutating func resume() -> [Action] {
        now = now + .milliseconds(1)
        let new = machine.resume(now: now)
        actions += new
        return new
    }

    var progress: CallProgress { machine.progress }

    var stored: [CallProgress] {
        actions.compactMap { if case .store(let progress) = $0 { progress } else { nil } }
    }

    var finalResponses: [Int] {
        actions.compactMap {
            switch $0 {
            case .reject(let status, _): status
            case .sendAnswer: 200
            default: nil
            }
        }
    }

    func count(of action: Action) -> Int { actions.count { $0 == action } }

    var byes: Int { actions.count { if case .sendBye = $0 { true } else { false } } }
}

/// A call that rings out and leaves a message, event by event.
enum Way {
    typealias Event = CallStateMachine.Event

    static let message: [Event] = [
        .calleeFound(MachineDriver.plan), .stored(version: 1, .durable), .devicesKnown(count: 0),
        .stored(version: 2, .durable), .ringTimeOver, .relayOffered, .voicemailAnswered, .relayAnswered, .dialogSaved,
        .callerAcknowledged,
    ]

    static let toRinging = Array(message.prefix(4))
    static let toOffering = Array(message.prefix(5))
    static let toTakingCall = Array(message.prefix(6))
    static let toAnswering = Array(message.prefix(7))
    static let toSavingDialog = Array(message.prefix(8))
    static let toConnected = Array(message.prefix(9))
    static let toRecording = message

    /// Every kind of event there is.
    static let all: [Event] = [
        .refused(.numberUnknown), .calleeFound(MachineDriver.plan), .calleeFound(MachineDriver.decliningPlan),
        .stored(version: 1, .durable), .stored(version: 1, .deferred), .stored(version: 1, .failed),
        .stored(version: 2, .durable), .stored(version: 2, .deferred), .stored(version: 3, .durable),
        .stored(version: 4, .durable), .devicesKnown(count: 0), .devicesKnown(count: 3), .ringTimeOver,
        .callerCancelled, .callerHungUp, .callerAcknowledged, .acknowledgementMissing, .relayOffered, .relayAnswered,
        .relayFailed, .voicemailAnswered, .voicemailEnded, .voicemailLost, .dialogSaved, .endKeyPressed,
        .operatorHungUp, .shutdown,
        .leaseLost,
    ]
}
