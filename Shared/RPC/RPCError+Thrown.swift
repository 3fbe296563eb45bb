extension RPCError {
    /// What crosses the wire of an error that a handler threw; nothing of a foreign error's text does.
    init(thrown error: any Error) {
        switch error {
        case let error as RPCError: self = error
        case let error as any RPCErrorConvertible: self = error.rpcError
        case is CancellationError: self.init(.cancelled, "cancelled")
        default: self.init(.internal, "internal error")
        }
    }

    /// Without the hint, which is for the client's own retries: an onward call's failure must not cause ours.
    var withoutHint: RPCError { RPCError(code, message) }

    static let cancelled = RPCError(.cancelled, "cancelled by the caller")
    static let deadlineExceeded = RPCError(.deadlineExceeded, "the deadline passed")
}
