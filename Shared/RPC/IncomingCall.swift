import Observability
import Synchronization
import ZeroMQ

/// One call that a server runs: the handler's task on one side, the socket thread on the other.
final class IncomingCall: Responder, @unchecked Sendable {
    // `@unchecked`: atomics; `response` belongs to the handler's task until it has returned; the rest is touched on the
    // socket thread only.

    let id: UInt64
    let method: ServerMethod
    let context: CallContext
    /// Monotonic nanoseconds.
    let deadline: UInt64
    unowned let peer: ServerPeer
    private let core: ServerCore

    private let isOver = Atomic<Bool>(false)
    private let credit: Atomic<Int>
    /// Writes on their way to the socket thread.
    private let posted = Atomic<Int>(0)
    private(set) var response: [UInt8]?

    var task: Task<Void, Never>?
    var lastWrite: UInt64
    private var waiters: [UnsafeContinuation<Void, Never>] = []

    init(
        id: UInt64, method: ServerMethod, context: CallContext, deadline: UInt64, credit: UInt32, peer: ServerPeer,
        core: ServerCore, now: UInt64
    ) {
        self.id = id
        self.method = method
        self.context = context
        self.deadline = deadline
        self.credit = Atomic(Int(credit))
        self.peer = peer
        self.core = core
        lastWrite = now
    }

    // MARK: The handler's task

    func run(_ request: RPCPayload) async {
        let call = ServerCall(method: method.index, context: context, request: request, responder: self)
        var failure: RPCError?
        do {
            // Cancelled before it began, such as while this process was frozen: nobody waits for what it would do.
            if hasEnded { throw CancellationError() }
            try await CallContext.$current.withValue(context) { try await method.handler.handle(call) }
            if method.descriptor.kind == .unary && response == nil {
                failure = RPCError(.internal, "the method gave no answer")
            }
        } catch {
            failure = RPCError(thrown: error)
            if failure?.code == .internal || failure?.code == .unknown { core.report(error, of: self) }
        }
        if core.loop.isCurrent && posted.load(ordering: .acquiring) == 0 {
            core.finish(self, failure)
        } else {
            let failure = failure
            core.loop.post { self.core.finish(self, failure) }
        }
    }

    func respond(_ bytes: [UInt8]) { response = bytes }

    func write(_ bytes: [UInt8]) async throws {
        while true {
            if isOver.load(ordering: .acquiring) { throw CancellationError() }
            if credit.load(ordering: .acquiring) > 0 { break }
            try await creditGranted()
        }
        credit.wrappingSubtract(StreamCredit.cost(bytes.count), ordering: .acquiringAndReleasing)
        if core.loop.isCurrent && posted.load(ordering: .acquiring) == 0 {
            core.sendItem(bytes, of: self)
        } else {
            posted.wrappingAdd(1, ordering: .acquiringAndReleasing)
            core.loop.post {
                self.core.sendItem(bytes, of: self)
                self.posted.wrappingSubtract(1, ordering: .acquiringAndReleasing)
            }
        }
    }

    private func creditGranted() async throws {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let isPosted = core.loop.post { self.wait(continuation) }
                if !isPosted { continuation.resume() }
                if Task.isCancelled { core.loop.post { self.resumeWaiters() } }
            }
        } onCancel: {
            core.loop.post { self.resumeWaiters() }
        }
        try Task.checkCancellation()
    }

    // MARK: The socket thread

    private func wait(_ continuation: UnsafeContinuation<Void, Never>) {
        if isOver.load(ordering: .acquiring) || credit.load(ordering: .acquiring) > 0 || task?.isCancelled == true {
            continuation.resume()
        } else {
            waiters.append(continuation)
        }
    }

    func grant(_ bytes: UInt32) {
        credit.wrappingAdd(Int(bytes), ordering: .acquiringAndReleasing)
        if credit.load(ordering: .acquiring) > 0 { resumeWaiters() }
    }

    private func resumeWaiters() {
        let resumed = waiters
        waiters = []
        for waiter in resumed { waiter.resume() }
    }

    var hasEnded: Bool { isOver.load(ordering: .acquiring) }

    /// Nothing is sent for the call from here on.
    func markOver() {
        isOver.store(true, ordering: .releasing)
        resumeWaiters()
    }
}
