/// A request method; anything that is not listed is kept by name.
public struct SIPMethod: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    public static let invite = SIPMethod(rawValue: "INVITE")
    public static let ack = SIPMethod(rawValue: "ACK")
    public static let cancel = SIPMethod(rawValue: "CANCEL")
    public static let bye = SIPMethod(rawValue: "BYE")
    public static let options = SIPMethod(rawValue: "OPTIONS")
    public static let info = SIPMethod(rawValue: "INFO")
    public static let update = SIPMethod(rawValue: "UPDATE")

    /// Methods of RFC 3261 and its extensions that are known but not served: answered 405, where a name that nobody knows
    /// is answered 501.
    static let knownButNotAllowed: Set<String> = [
        "REGISTER", "PRACK", "SUBSCRIBE", "NOTIFY", "PUBLISH", "MESSAGE", "REFER",
    ]

    /// Served here, in the order of the Allow header.
    static let allowed: [SIPMethod] = [.invite, .ack, .cancel, .bye, .options, .info, .update]

    public var description: String { rawValue }
}
