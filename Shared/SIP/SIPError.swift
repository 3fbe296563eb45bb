/// Why an endpoint did not start.
public enum SIPError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Somebody else uses the address, or it is not this machine's.
    case cannotBind(transport: SIPTransport, host: String, port: UInt16, reason: String)
    /// The stack could not be set up.
    case cannotStart(String)
    case alreadyStarted

    public var description: String {
        switch self {
        case .cannotBind(let transport, let host, let port, let reason):
            "cannot listen for SIP on \(transport.rawValue) \(host):\(port): \(reason)"
        case .cannotStart(let reason): "cannot start the SIP stack: \(reason)"
        case .alreadyStarted: "the SIP endpoint was started before"
        }
    }
}
