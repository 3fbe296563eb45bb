import Synchronization

/// The same calls without a socket: handlers of this process, for tests of what is built on stubs. Deadlines, cancelling,
/// credit, limits, roles and statuses are those of `RPCServer`; routing is not: there is one instance.
public final class InProcessChannel: RPCChannel {
    private struct Served: Sendable {
        let handler: any RPCHandler
        let index: Int
        let descriptor: MethodDescriptor
        let limit: Int
    }

    private let caller: String
    private let methods: [UInt64: Served]
    private let running = Mutex<[UInt64: Int]>([:])

    /// - Parameter caller: `service/instance`, as handlers see it.
    public init(caller: String, handlers: [any RPCHandler], options: RPCServerOptions = RPCServerOptions()) {
        self.caller = caller
        var methods: [UInt64: Served] = [:]
        for handler in handlers {
            for (index, method) in handler.serviceDescriptor.methods.enumerated() {
                methods[method.wireID] = Served(
                    handler: handler, index: index, descriptor: method,
                    limit: options.concurrencyByMethod[method.name] ?? options.concurrency)
            }
        }
        self.methods = methods
    }

    public func unary(
        _ method: MethodDescriptor, request: [UInt8], options: CallOptions
    ) async throws(RPCError) -> RPCPayload {
        if Task.isCancelled { throw .cancelled }
        let answers = stream(method, request: request, options: options)
        var iterator = answers.makeAsyncIterator()
        guard let answer = try await iterator.next() else { throw RPCError(.internal, "the method gave no answer") }
        _ = try await iterator.next()
        return answer
    }

    public func stream(_ method: MethodDescriptor, request: [UInt8], options: CallOptions) -> RPCByteStream {
        let inherited = CallContext.current
        let wanted = (options.deadline ?? method.defaultDeadline).map { ContinuousClock.now + $0 }
        let deadline = [wanted, inherited?.deadline].compactMap { $0 }.min()
        let context = CallContext(deadline: deadline, traceID: inherited?.traceID ?? .make(), caller: caller)
        let call = InProcessCall()
        do {
            let served = try admit(method)
            call.run(deadline: deadline) { [self] in
                defer { running.withLock { $0[method.wireID, default: 0] -= 1 } }
                let serverCall = ServerCall(
                    method: served.index, context: context, request: RPCPayload(request), responder: call)
                try await CallContext.$current.withValue(context) { try await served.handler.handle(serverCall) }
            }
        } catch {
            call.inbox.finish(.failure(error.withoutHint))
        }
        return RPCByteStream(call.inbox)
    }

    private func admit(_ method: MethodDescriptor) throws(RPCError) -> Served {
        guard let served = methods[method.wireID] else {
            throw RPCError(.unimplemented, "no such method")
        }
        let roles = served.descriptor.roles
        guard roles.isEmpty || roles.contains(String(caller.prefix { $0 != "/" })) else {
            throw RPCError(.permissionDenied, "the caller's role may not call this method")
        }
        let isAdmitted = running.withLock { running in
            guard running[method.wireID, default: 0] < served.limit else { return false }
            running[method.wireID, default: 0] += 1
            return true
        }
        guard isAdmitted else { throw RPCError(.resourceExhausted, "too many calls of this method at once") }
        return served
    }
}
