/// Which way audio flows, seen from who wrote the description (RFC 3264 section 5.1).
public enum MediaDirection: String, Sendable, CaseIterable {
    case sendReceive = "sendrecv"
    case sendOnly = "sendonly"
    case receiveOnly = "recvonly"
    case inactive

    init?(attributes: [SDPAttribute]) {
        let found = attributes.compactMap { $0.value == nil ? MediaDirection(rawValue: $0.name) : nil }
        guard let last = found.last else { return nil }
        self = last
    }

    public var sends: Bool { self == .sendReceive || self == .sendOnly }
    public var receives: Bool { self == .sendReceive || self == .receiveOnly }

    /// The answer to an offer of this direction by a side that would like both.
    public var answered: MediaDirection {
        switch self {
        case .sendReceive: .sendReceive
        case .sendOnly: .receiveOnly
        case .receiveOnly: .sendOnly
        case .inactive: .inactive
        }
    }
}
