/// What a sender says of itself (RFC 3550 section 6.4.1).
public struct RTCPSenderInfo: Sendable, Equatable {
    /// Seconds since 1900 in the upper half, fractions in the lower.
    public var ntpTime: UInt64
    public var rtpTime: UInt32
    public var packets: UInt32
    public var octets: UInt32

    public init(ntpTime: UInt64, rtpTime: UInt32, packets: UInt32, octets: UInt32) {
        self.ntpTime = ntpTime
        self.rtpTime = rtpTime
        self.packets = packets
        self.octets = octets
    }
}

/// What a receiver says of a source (RFC 3550 section 6.4.1, report block).
public struct RTCPReport: Sendable, Equatable {
    public var ssrc: UInt32
    /// 256ths lost since the last report.
    public var fractionLost: UInt8
    /// 24 bits, may be negative.
    public var cumulativeLost: Int32
    public var highestSequence: UInt32
    /// In clock ticks.
    public var jitter: UInt32
    public var lastSenderReport: UInt32
    /// In 65,536ths of a second.
    public var delaySinceLastSenderReport: UInt32

    public init(
        ssrc: UInt32, fractionLost: UInt8 = 0, cumulativeLost: Int32 = 0, highestSequence: UInt32 = 0,
        jitter: UInt32 = 0, lastSenderReport: UInt32 = 0, delaySinceLastSenderReport: UInt32 = 0
    ) {
        self.ssrc = ssrc
        self.fractionLost = fractionLost
        self.cumulativeLost = cumulativeLost
        self.highestSequence = highestSequence
        self.jitter = jitter
        self.lastSenderReport = lastSenderReport
        self.delaySinceLastSenderReport = delaySinceLastSenderReport
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(word: ssrc)
        bytes.append(word: UInt32(fractionLost) << 24 | UInt32(bitPattern: cumulativeLost) & 0xFF_FFFF)
        for word in [highestSequence, jitter, lastSenderReport, delaySinceLastSenderReport] { bytes.append(word: word) }
    }
}

/// Reads 32-bit words in network order.
struct RTCPReader {
    let bytes: [UInt8]
    var offset = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func word() -> UInt32? {
        guard bytes.count - offset >= 4 else { return nil }
        defer { offset += 4 }
        return bigEndian32(bytes.span, at: offset)
    }

    mutating func reports(_ count: Int) -> [RTCPReport]? {
        var reports: [RTCPReport] = []
        for _ in 0..<count {
            guard let ssrc = word(), let lost = word(), let highest = word(), let jitter = word(), let last = word(),
                let delay = word()
            else { return nil }
            // The 24-bit count is signed.
            let cumulative = Int32(bitPattern: lost << 8) >> 8
            reports.append(
                RTCPReport(
                    ssrc: ssrc, fractionLost: UInt8(lost >> 24), cumulativeLost: cumulative, highestSequence: highest,
                    jitter: jitter, lastSenderReport: last, delaySinceLastSenderReport: delay))
        }
        return reports
    }
}

extension [UInt8] {
    mutating func append(word: UInt32) {
        for shift in [24, 16, 8, 0] as [UInt32] { append(UInt8(truncatingIfNeeded: word >> shift)) }
    }
}
