/// Makes digits of RFC 4733 packets: each event is reported once, at its first packet that arrives.
///
/// All packets of an event share its timestamp, so updates and the repeated end packets are known by that. The marker bit is
/// not asked for: senders that leave it out, and events whose first packets were lost, are heard as well.
public struct DTMFReceiver: Sendable {
    private var last: (ssrc: UInt32, timestamp: UInt32)?

    public init() {}

    /// The digit that a packet begins; nil for a repetition, an older event, or an event that is not DTMF.
    public mutating func receive(_ header: RTPHeader, payload: Span<UInt8>) -> DTMFDigit? {
        guard let event = TelephoneEvent(payload: payload) else { return nil }
        if let last, last.ssrc == header.ssrc {
            // A late packet of the event before is no new digit; one far back is a clock that started anew.
            let age = Int32(bitPattern: last.timestamp &- header.timestamp)
            if age >= 0, age < 480_000 { return nil }
        }
        last = (header.ssrc, header.timestamp)
        return event.digit
    }
}
