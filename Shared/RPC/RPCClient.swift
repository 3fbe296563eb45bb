public import Observability

/// Calls services over ZeroMQ: connects to all live instances of each service that it is asked for.
public final class RPCClient: RPCChannel {
    /// - Parameter caller: `service/instance`, sent with every call.
    public init(caller: String, resolver: any EndpointResolver, logger: Logger, counters: Counters) {
        fatalError("being written")
    }

    public func unary(
        _ method: MethodDescriptor, request: [UInt8], options: CallOptions
    ) async throws(RPCError) -> RPCPayload { fatalError("being written") }

    public func stream(_ method: MethodDescriptor, request: [UInt8], options: CallOptions) -> RPCByteStream {
        fatalError("being written")
    }

    /// Cancels what is in flight and closes the connections.
    public func stop() async {}
}
