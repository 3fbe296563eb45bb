import ZeroMQ

/// One call at the client. Made by the caller, then handed to the socket thread, which alone touches it from there on.
final class OutgoingCall: @unchecked Sendable {
    // `@unchecked`: see above.

    /// Who waits for the outcome.
    enum Sink {
        case unary(UnsafeContinuation<Result<RPCPayload, RPCError>, Never>)
        case stream(StreamInbox)
    }

    let id: UInt64
    let method: MethodDescriptor
    let request: [UInt8]
    let service: String
    let instance: String?
    /// Of the pinned id.
    let slot: Int?
    /// Monotonic nanoseconds.
    let deadline: UInt64
    let traceID: TraceID
    let sink: Sink

    var connection: ClientConnection?
    var isSent = false
    /// Something of a stream was delivered: it cannot begin again.
    var hasReceived = false
    var hasRetried = false
    /// The instance that failed the first attempt.
    var avoided: Endpoint?

    init(
        id: UInt64, method: MethodDescriptor, request: [UInt8], options: CallOptions, slot: Int?, deadline: UInt64,
        traceID: TraceID, sink: Sink
    ) {
        self.id = id
        self.method = method
        self.request = request
        service = options.service ?? method.package
        instance = options.instance
        self.slot = slot
        self.deadline = deadline
        self.traceID = traceID
        self.sink = sink
    }

    func complete(_ result: Result<RPCPayload, RPCError>) {
        let result = result.mapError(\.withoutHint)
        switch sink {
        case .unary(let continuation): continuation.resume(returning: result)
        case .stream(let inbox): inbox.finish(result.map { _ in () })
        }
    }

    /// Milliseconds left, rounded up, for the header.
    func remainingMilliseconds(_ now: UInt64) -> UInt32 {
        guard deadline != .max else { return Frame.noDeadline }
        guard deadline > now else { return 0 }
        return UInt32(min((deadline - now + 999_999) / 1_000_000, UInt64(Frame.noDeadline - 1)))
    }
}
