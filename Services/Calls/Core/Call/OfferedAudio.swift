import Media
package import SIP

/// What an INVITE says about audio.
package enum OfferedAudio: Hashable, Sendable {
    /// A description with a codec of ours.
    case usable(String)
    /// A description without one: of no use to voicemail, but two phones may get on with it.
    case noCommonCodec(String)
    /// Audio would have to be sent to something that is no IPv4 address: names are not looked up.
    case foreignAddress
    /// Audio would have to be sent to a group.
    case multicast
    /// None: the caller waits for ours.
    case absent
    /// A body that is no session description.
    case unsupportedType
    /// Not to be read.
    case malformed

    package init(_ body: SIPBody?) {
        guard let body, !body.bytes.isEmpty else {
            self = .absent
            return
        }
        guard body.contentType == "application/sdp" else {
            self = .unsupportedType
            return
        }
        guard let text = String(validating: body.bytes, as: UTF8.self),
            let description = try? SessionDescription(parsing: text)
        else {
            self = .malformed
            return
        }
        self = OfferedAudio.judge(description, text)
    }

    private static func judge(_ description: SessionDescription, _ text: String) -> OfferedAudio {
        // The relay refuses a description with any medium like these.
        for medium in description.media where medium.port != 0 {
            guard let connection = description.connection(of: medium) else { return .malformed }
            guard medium.hasPlausibleFormats else { return .malformed }
            if connection.isMulticast { return .multicast }
            guard connection.isIPv4 else { return .foreignAddress }
        }
        return description.hasCommonCodec ? .usable(text) : .noCommonCodec(text)
    }

    package var sdp: String? {
        if case .usable(let sdp) = self { sdp } else { nil }
    }

    /// Any description that can be read.
    package var text: String? {
        switch self {
        case .usable(let text), .noCommonCodec(let text): text
        default: nil
        }
    }
}

/// Fits an earlier answer to a new offer (RFC 3264, sections 6.1 and 8).
package enum RepeatedAnswer {
    /// The answer with the direction that the new offer allows. Nil when the answered codec is not offered any more, or under
    /// another payload type.
    package static func fit(_ answer: String, to offer: String) -> String? {
        guard var answered = try? SessionDescription(parsing: answer),
            let offered = try? SessionDescription(parsing: offer),
            let index = answered.media.firstIndex(where: { $0.kind == "audio" && $0.port != 0 }),
            let medium = offered.media.first(where: { $0.kind == "audio" && $0.port != 0 }),
            let codec = answered.media[index].payloadFormats.first(where: { $0.codec != nil }),
            medium.payloadFormats.contains(where: { $0.payloadType == codec.payloadType && $0.codec == codec.codec })
        else { return nil }
        var direction = offered.direction(of: medium).answered
        if offered.connection(of: medium)?.isUnspecified == true {
            direction = direction.receives ? .receiveOnly : .inactive
        }
        answered.media[index].attributes.removeAll { MediaDirection(rawValue: $0.name) != nil }
        answered.media[index].attributes.append(SDPAttribute(direction.rawValue))
        return answered.text
    }
}

extension MediaDescription {
    /// RTP has payload types 0 to 127 (RFC 3551, section 6).
    fileprivate var hasPlausibleFormats: Bool {
        guard transport.contains("RTP/") else { return true }
        return formats.allSatisfy { format in Int(format).map { (0...127).contains($0) } ?? false }
    }
}

extension SDPConnection {
    private var octets: [UInt8]? {
        let parts = address.split(separator: ".", omittingEmptySubsequences: false)
        let octets = parts.compactMap { UInt8($0) }
        return parts.count == 4 && octets.count == 4 ? octets : nil
    }

    fileprivate var isIPv4: Bool { addressType == "IP4" && octets != nil && octets != [255, 255, 255, 255] }

    fileprivate var isMulticast: Bool {
        if addressType == "IP6" { return address.lowercased().hasPrefix("ff") }
        return octets.map { (224...239).contains($0[0]) } ?? false
    }
}
