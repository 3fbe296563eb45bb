/// The fixed header of an RTP packet and where its payload lies (RFC 3550 section 5.1).
///
///      0                   1                   2                   3
///      0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
///     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
///     |V=2|P|X|  CC   |M|     PT      |       sequence number         |
///     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
///     |                           timestamp                           |
///     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
///     |           synchronization source (SSRC) identifier            |
///     +=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+=+
///     |            contributing source (CSRC) identifiers, CC of them |
///     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
///     |  extension profile (X set)    |  length in 32-bit words       |
///     +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
///
/// With P set, the packet's last octet counts the padding octets at its end, itself included. Nothing is allocated.
public struct RTPHeader: Sendable, Equatable {
    public var marker: Bool
    /// 0...127.
    public var payloadType: UInt8
    public var sequence: UInt16
    /// In ticks of the payload's clock.
    public var timestamp: UInt32
    public var ssrc: UInt32

    /// The length of a header without CSRCs and extension, in bytes.
    public static let minimumBytes = 12

    public init(marker: Bool = false, payloadType: UInt8, sequence: UInt16, timestamp: UInt32, ssrc: UInt32) {
        self.marker = marker
        self.payloadType = payloadType & 0x7F
        self.sequence = sequence
        self.timestamp = timestamp
        self.ssrc = ssrc
    }

    /// Reads a packet's header; nil when it is not RTP version 2 or its lengths do not fit. The second value is the payload's
    /// place in the packet.
    public static func parse(_ packet: Span<UInt8>) -> (header: RTPHeader, payload: Range<Int>)? {
        guard packet.count >= minimumBytes, packet[0] >> 6 == 2 else { return nil }
        var start = minimumBytes + 4 * Int(packet[0] & 0x0F)
        var end = packet.count
        if packet[0] & 0x10 != 0 {
            guard start + 4 <= end else { return nil }
            start += 4 + 4 * (Int(packet[start + 2]) << 8 | Int(packet[start + 3]))
        }
        guard start <= end else { return nil }
        if packet[0] & 0x20 != 0 {
            let padding = Int(packet[end - 1])
            guard padding > 0, start + padding <= end else { return nil }
            end -= padding
        }
        let header = RTPHeader(
            marker: packet[1] & 0x80 != 0, payloadType: packet[1] & 0x7F,
            sequence: UInt16(packet[2]) << 8 | UInt16(packet[3]), timestamp: bigEndian32(packet, at: 4),
            ssrc: bigEndian32(packet, at: 8))
        return (header, start..<end)
    }

    /// Writes the fixed header into the first twelve bytes of `packet`.
    public func write(to packet: inout [UInt8]) {
        packet[0] = 0x80
        packet[1] = (marker ? 0x80 : 0) | payloadType
        packet[2] = UInt8(truncatingIfNeeded: sequence >> 8)
        packet[3] = UInt8(truncatingIfNeeded: sequence)
        for index in 0..<4 {
            let shift = UInt32(24 - 8 * index)
            packet[4 + index] = UInt8(truncatingIfNeeded: timestamp >> shift)
            packet[8 + index] = UInt8(truncatingIfNeeded: ssrc >> shift)
        }
    }

    /// A whole packet; for tests and tools, since it allocates.
    public func packet(payload: [UInt8]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Self.minimumBytes)
        write(to: &bytes)
        return bytes + payload
    }
}

func bigEndian32(_ bytes: Span<UInt8>, at offset: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in offset..<offset + 4 { value = value << 8 | UInt32(bytes[index]) }
    return value
}
