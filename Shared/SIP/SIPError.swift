internal import Glibc
public import Observability

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

extension SIPError {
    /// What the stack's start reported: an `errno` value, and 1 for UDP or 2 for TCP when binding failed.
    init(errorNumber: Int32, failedTransport: Int32, host: String, port: UInt16) {
        let reason = String(cString: strerror(errorNumber))
        switch failedTransport {
        case 1: self = .cannotBind(transport: .udp, host: host, port: port, reason: reason)
        case 2: self = .cannotBind(transport: .tcp, host: host, port: port, reason: reason)
        default: self = .cannotStart(reason)
        }
    }
}

extension SIPError: DescribedInLogs {
    /// Names our own address only.
    public var logDescription: String { description }
}
