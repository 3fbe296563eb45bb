public import WireFormat

/// One call at the server, as a handler sees it.
public struct ServerCall: Sendable {
    /// The method's index in the service descriptor.
    public let method: Int
    public let context: CallContext
    /// The request's binary form.
    public let request: RPCPayload
    let responder: any Responder

    /// Decodes the request, runs the method, answers. Bytes that are no such message: `invalidArgument`.
    public func unary<Request: WireMessage, Response: WireMessage>(
        _ body: (Request, CallContext) async throws -> Response
    ) async throws {
        let response = try await body(decoded(), context)
        responder.respond(response.wireBytes())
    }

    /// Decodes the request and runs the method, which writes as many messages as it likes.
    public func stream<Request: WireMessage, Response: WireMessage>(
        _ body: (Request, ResponseWriter<Response>, CallContext) async throws -> Void
    ) async throws {
        try await body(decoded(), ResponseWriter(responder), context)
    }

    /// What `handle` throws for an index that it does not know.
    public var unknownMethod: RPCError { RPCError(.unimplemented, "unknown method") }

    private func decoded<Request: WireMessage>() throws -> Request {
        do {
            return try request.message()
        } catch {
            throw RPCError(.invalidArgument, "the request is no valid \(Request.messageName)")
        }
    }
}

/// Where a call's answers go: a transport's end of it. Any thread.
protocol Responder: Sendable {
    /// The one answer of a unary call.
    func respond(_ bytes: [UInt8])

    /// One message of a stream. Suspends while the reader has granted no credit.
    func write(_ bytes: [UInt8]) async throws
}
