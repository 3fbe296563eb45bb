import Domain
public import Observability
public import Runtime
import Synchronization
public import ZeroMQ

/// Calls services over ZeroMQ: connects to all live instances of each service that it is asked for, on one thread.
///
/// Outcomes that the client decides: `unavailable` when no instance is known, or at once when the instance dies (after one
/// more attempt where the method allows it), `deadlineExceeded`, `cancelled`.
public final class RPCClient: RPCChannel, Component {
    public let name = "rpc client"
    private let core: ClientCore
    private let loop: SocketLoop
    private let lastID = Atomic<UInt64>(0)

    /// - Parameters:
    ///   - caller: `service/instance`, sent with every call; at most 255 bytes.
    ///   - curve: between hosts: our key, and those of instances that may be called, each as the services of its roles only.
    public convenience init(
        caller: String, resolver: any EndpointResolver, logger: Logger, counters: Counters,
        curve: CurveCredentials? = nil
    ) {
        self.init(caller: caller, resolver: resolver, counters: counters, beat: .seconds(1), curve: curve)
    }

    /// - Parameter beat: between two pings; five without an answer mean that the instance is dead.
    package init(
        caller: String, resolver: any EndpointResolver, counters: Counters, beat: Duration,
        curve: CurveCredentials? = nil
    ) {
        do {
            loop = try SocketLoop(name: "rpc client")
        } catch {
            fatalError("no thread for the RPC client: \(error)")
        }
        core = ClientCore(
            loop: loop, caller: caller, resolver: resolver, counters: counters, beat: beat, curve: curve)
        loop.post { [core] in core.open() }
    }

    deinit {
        loop.post { [core] in core.close() }
        loop.stopWithoutWaiting()
    }

    /// The socket's thread as a task executor: a task that prefers it makes calls without switching threads.
    public var executor: any TaskExecutor { loop }

    public func start() async throws {}

    /// Fails what is in flight with `unavailable` and closes the connections.
    public func stop() async {
        await loop.run { [core] in core.close() }
        await loop.stop()
    }

    public func unary(
        _ method: MethodDescriptor, request: [UInt8], options: CallOptions
    ) async throws(RPCError) -> RPCPayload {
        let slot = try check(method, request, options)
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        if Task.isCancelled { throw .cancelled }
        let result: Result<RPCPayload, RPCError> = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                begin(makeCall(id, method, request, options, slot, .unary(continuation)))
                if Task.isCancelled { loop.post { [core] in core.cancel(id) } }
            }
        } onCancel: {
            loop.post { [core] in core.cancel(id) }
        }
        return try result.get()
    }

    public func stream(_ method: MethodDescriptor, request: [UInt8], options: CallOptions) -> RPCByteStream {
        let id = lastID.wrappingAdd(1, ordering: .relaxed).newValue
        let inbox = StreamInbox(
            grant: { [core, loop] bytes in loop.post { core.grant(bytes, to: id) } },
            cancel: { [core, loop] in loop.post { core.cancel(id) } })
        do throws(RPCError) {
            let slot = try check(method, request, options)
            begin(makeCall(id, method, request, options, slot, .stream(inbox)))
        } catch {
            inbox.finish(.failure(error))
        }
        return RPCByteStream(inbox)
    }

    private func begin(_ call: OutgoingCall) {
        if loop.isCurrent { return core.start(call) }
        if !loop.post({ [core] in core.start(call) }) {
            call.complete(.failure(RPCError(.unavailable, "the client is stopped")))
        }
    }

    /// The slot of a pinned call.
    private func check(
        _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions
    ) throws(RPCError) -> Int? {
        guard request.count <= Frame.maximumBytes - Frame.requestHeaderBytes - 255 else {
            throw RPCError(.resourceExhausted, "the request is too large")
        }
        guard method.routing == .pinned, options.instance == nil else { return nil }
        guard let key = options.key, let id = BellwireID(key) else {
            throw RPCError(.invalidArgument, "\(method.pinnedBy ?? "the pinned field") is no id")
        }
        return id.slot
    }

    private func makeCall(
        _ id: UInt64, _ method: MethodDescriptor, _ request: [UInt8], _ options: CallOptions, _ slot: Int?,
        _ sink: OutgoingCall.Sink
    ) -> OutgoingCall {
        let context = CallContext.current
        let now = MonotonicTime.now()
        var deadline = UInt64.max
        if let wanted = options.deadline ?? method.defaultDeadline {
            deadline = MonotonicTime.after(wanted, from: now)
        }
        if let inherited = context?.remaining {
            deadline = min(deadline, MonotonicTime.after(inherited, from: now))
        }
        return OutgoingCall(
            id: id, method: method, request: request, options: options, slot: slot, deadline: deadline,
            traceID: context?.traceID ?? .make(), sink: sink)
    }
}
