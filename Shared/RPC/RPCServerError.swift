public import Observability

/// Why a server cannot listen.
public enum RPCServerError: DescribedInLogs, Equatable, CustomStringConvertible {
    /// Another process (or server) listens there.
    case addressInUse(String)
    /// Neither `ipc://PATH` of at most 107 bytes nor `tcp://HOST:PORT`.
    case badAddress(String)
    /// The system refused; what and why.
    case cannotListen(String, reason: String)

    public var description: String {
        switch self {
        case .addressInUse(let address): "\(address) is in use"
        case .badAddress(let address): "\(address) is no address to listen on"
        case .cannotListen(let address, let reason): "cannot listen on \(address): \(reason)"
        }
    }

    public var logDescription: String { description }
}
