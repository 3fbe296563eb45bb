import Wire

/// The messages of the `TakeCall` stream.
enum TakeCallEvents {
    static func answer(_ answer: VoicemailV1.TakeCallEvent.Answer) -> VoicemailV1.TakeCallEvent {
        var message = VoicemailV1.TakeCallEvent()
        message.event = .answer(answer)
        return message
    }

    static func event(_ event: SessionEvent) -> VoicemailV1.TakeCallEvent {
        var message = VoicemailV1.TakeCallEvent()
        switch event {
        case .recording:
            message.event = .recording(VoicemailV1.TakeCallEvent.Recording())
        case .ended(let end, let isKept):
            var ended = VoicemailV1.TakeCallEvent.Ended()
            ended.end = end.map(VoicemailV1.MessageEnd.init) ?? .unspecified
            ended.kept = isKept
            message.event = .ended(ended)
        }
        return message
    }
}

extension VoicemailV1.MessageEnd {
    init(_ end: RecordingEnd) {
        switch end {
        case .key: self = .key
        case .silence: self = .silence
        case .limit: self = .limit
        case .noMedia: self = .noMedia
        case .failure: self = .failure
        // Who hung up knows it; who crashed has nobody to tell.
        case .hangup, .crash: self = .unspecified
        }
    }
}
