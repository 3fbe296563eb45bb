public import RPC
public import Store

/// What a caller hears when the store refuses its work. Which constraint a request violated is the service's to say; one
/// that it did not expect is a fault of ours.
extension StoreError: RPCErrorConvertible {
    public var rpcError: RPCError {
        switch self {
        case .unreachable, .connectionLost, .stopped, .tooManyConnections, .serverTooOld, .notAuthorized:
            RPCError(.unavailable, "the database cannot be reached")
        case .overloaded: RPCError(.resourceExhausted, "too many requests wait for the database")
        case .timedOut: RPCError(.deadlineExceeded, "the database took too long")
        case .conflict, .staleEpoch: RPCError(.aborted, "another change came first")
        default: RPCError(.internal, "the request could not be stored")
        }
    }
}
