import RPC
import Wire

extension SIPTransport {
    /// Unspecified is UDP.
    init(_ wire: DirectoryV1.Transport) throws(RPCError) {
        switch wire {
        case .unspecified, .udp: self = .udp
        case .tcp: self = .tcp
        case .unrecognized: throw Refusal.invalid("transport: unknown")
        }
    }
}

extension DirectoryV1.Transport {
    init(_ transport: SIPTransport) {
        switch transport {
        case .udp: self = .udp
        case .tcp: self = .tcp
        }
    }
}
