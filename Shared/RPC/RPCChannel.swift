public import WireFormat

/// What generated client stubs call: `RPCClient` over ZeroMQ, `InProcessChannel` in tests. Generated code is
///
///     public struct CallsClient: Sendable {
///         private let channel: any RPCChannel
///         public func hangUpCall(
///             _ request: HangUpCallRequest, options: CallOptions = CallOptions()
///         ) async throws(RPCError) -> HangUpCallResponse {
///             try await channel.unary(CallsV1.callsDescriptor.methods[2], request, key: request.callID, options)
///         }
///         public func watch(_ request: WatchRequest, options: CallOptions = CallOptions()) -> ResponseStream<Event> {
///             channel.stream(CallsV1.callsDescriptor.methods[3], request, key: nil, options)
///         }
///     }
public protocol RPCChannel: Sendable {
    /// Makes a unary call; returns the response's bytes.
    func unary(
        _ method: MethodDescriptor, request: [UInt8], options: CallOptions
    ) async throws(RPCError) -> RPCPayload

    /// Starts a server-streaming call. Dropping the stream, or cancelling the task that reads it, cancels the call.
    func stream(_ method: MethodDescriptor, request: [UInt8], options: CallOptions) -> RPCByteStream
}

extension RPCChannel {
    /// Makes a unary call with messages. `key` is the pinned id, nil unless the method is pinned.
    public func unary<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor, _ request: Request, key: String?, _ options: CallOptions
    ) async throws(RPCError) -> Response {
        var options = options
        options.key = key ?? options.key
        let payload = try await unary(method, request: request.wireBytes(), options: options)
        do {
            return try payload.message()
        } catch {
            throw RPCError(.internal, "the response is no valid \(Response.messageName)")
        }
    }

    /// Starts a server-streaming call with messages. `key` is the pinned id, nil unless the method is pinned.
    public func stream<Request: WireMessage, Response: WireMessage>(
        _ method: MethodDescriptor, _ request: Request, key: String?, _ options: CallOptions
    ) -> ResponseStream<Response> {
        var options = options
        options.key = key ?? options.key
        return ResponseStream(stream(method, request: request.wireBytes(), options: options))
    }
}
