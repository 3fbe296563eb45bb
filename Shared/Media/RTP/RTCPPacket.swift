/// The RTCP packets this product sends and reads (RFC 3550 section 6.4): sender and receiver reports, SDES CNAME, BYE.
public enum RTCPPacket: Sendable, Equatable {
    case senderReport(ssrc: UInt32, sender: RTCPSenderInfo, reports: [RTCPReport])
    case receiverReport(ssrc: UInt32, reports: [RTCPReport])
    case sourceDescription(ssrc: UInt32, cname: String)
    case goodbye(ssrcs: [UInt32])
    /// Another type, skipped.
    case other(type: UInt8)

    static let senderReportType: UInt8 = 200
    static let receiverReportType: UInt8 = 201
    static let sourceDescriptionType: UInt8 = 202
    static let goodbyeType: UInt8 = 203

    /// Whether bytes that came to a multiplexed port are RTCP (RFC 5761 section 4).
    public static func isRTCP(_ packet: Span<UInt8>) -> Bool {
        packet.count >= 4 && packet[0] >> 6 == 2 && (192...223).contains(packet[1])
    }

    /// Reads a compound packet; nil when its lengths do not fit (RFC 3550 appendix A.2).
    public static func parse(_ bytes: [UInt8]) -> [RTCPPacket]? {
        var packets: [RTCPPacket] = []
        var offset = 0
        while offset < bytes.count {
            guard bytes.count - offset >= 4, bytes[offset] >> 6 == 2 else { return nil }
            let length = 4 * (1 + (Int(bytes[offset + 2]) << 8 | Int(bytes[offset + 3])))
            guard offset + length <= bytes.count else { return nil }
            var end = offset + length
            if bytes[offset] & 0x20 != 0 {
                let padding = Int(bytes[end - 1])
                guard padding > 0, padding <= length - 4 else { return nil }
                end -= padding
            }
            let body = Array(bytes[(offset + 4)..<end])
            guard
                let packet = parse(
                    type: bytes[offset + 1], count: Int(bytes[offset] & 0x1F), body: RTCPReader(bytes: body))
            else { return nil }
            packets.append(packet)
            offset += length
        }
        return packets.isEmpty ? nil : packets
    }

    private static func parse(type: UInt8, count: Int, body: RTCPReader) -> RTCPPacket? {
        var body = body
        switch type {
        case senderReportType:
            guard let ssrc = body.word(), let high = body.word(), let low = body.word(), let rtp = body.word(),
                let packets = body.word(), let octets = body.word(), let reports = body.reports(count)
            else { return nil }
            let sender = RTCPSenderInfo(
                ntpTime: UInt64(high) << 32 | UInt64(low), rtpTime: rtp, packets: packets, octets: octets)
            return .senderReport(ssrc: ssrc, sender: sender, reports: reports)
        case receiverReportType:
            guard let ssrc = body.word(), let reports = body.reports(count) else { return nil }
            return .receiverReport(ssrc: ssrc, reports: reports)
        case goodbyeType:
            var ssrcs: [UInt32] = []
            for _ in 0..<count {
                guard let ssrc = body.word() else { return nil }
                ssrcs.append(ssrc)
            }
            return .goodbye(ssrcs: ssrcs)
        default:
            return .other(type: type)
        }
    }

    /// The packet's bytes, a whole number of 32-bit words.
    public var bytes: [UInt8] {
        var body: [UInt8] = []
        let type: UInt8
        let count: Int
        switch self {
        case .senderReport(let ssrc, let sender, let reports):
            (type, count) = (Self.senderReportType, reports.count)
            for word in [
                ssrc, UInt32(sender.ntpTime >> 32), UInt32(truncatingIfNeeded: sender.ntpTime), sender.rtpTime,
                sender.packets, sender.octets,
            ] { body.append(word: word) }
            for report in reports { report.append(to: &body) }
        case .receiverReport(let ssrc, let reports):
            (type, count) = (Self.receiverReportType, reports.count)
            body.append(word: ssrc)
            for report in reports { report.append(to: &body) }
        case .sourceDescription(let ssrc, let cname):
            (type, count) = (Self.sourceDescriptionType, 1)
            let name = Array(cname.utf8.prefix(255))
            body.append(word: ssrc)
            body += [1, UInt8(name.count)] + name + [0]
            while body.count % 4 != 0 { body.append(0) }
        case .goodbye(let ssrcs):
            (type, count) = (Self.goodbyeType, ssrcs.count)
            for ssrc in ssrcs { body.append(word: ssrc) }
        case .other(let other):
            (type, count) = (other, 0)
        }
        let words = UInt16(body.count / 4)
        return [0x80 | UInt8(count & 0x1F), type, UInt8(words >> 8), UInt8(words & 0xFF)] + body
    }
}
