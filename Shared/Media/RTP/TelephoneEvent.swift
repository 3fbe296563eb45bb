/// A named telephone event (RFC 4733 section 2.3).
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
///     |     event     |E|R| volume    |          duration             |
///     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
public struct TelephoneEvent: Sendable, Equatable {
    /// 0...9 digits, 10 star, 11 pound, 12...15 A to D.
    public var code: UInt8
    public var isEnd: Bool
    /// Power as -dBm0, 0...63.
    public var volume: UInt8
    /// In clock ticks since the event's timestamp.
    public var duration: UInt16

    public init(code: UInt8, isEnd: Bool, volume: UInt8 = 10, duration: UInt16) {
        self.code = code
        self.isEnd = isEnd
        self.volume = volume
        self.duration = duration
    }

    /// The first event of a payload; nil when it is too short.
    public init?(payload: Span<UInt8>) {
        guard payload.count >= 4 else { return nil }
        self.init(
            code: payload[0], isEnd: payload[1] & 0x80 != 0, volume: payload[1] & 0x3F,
            duration: UInt16(payload[2]) << 8 | UInt16(payload[3]))
    }

    public var payload: [UInt8] {
        [code, (isEnd ? 0x80 : 0) | (volume & 0x3F), UInt8(duration >> 8), UInt8(duration & 0xFF)]
    }

    /// The key pressed; nil for events that are not DTMF.
    public var digit: DTMFDigit? { DTMFDigit(eventCode: code) }
}
