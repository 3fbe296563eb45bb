import Synchronization

/// One call of an `InProcessChannel`.
final class InProcessCall: Responder {
    private struct State {
        var credit = StreamCredit.window
        var isOver = false
        var tasks: [Task<Void, Never>] = []
        var waiters: [UnsafeContinuation<Void, Never>] = []
    }

    private final class Shared: Sendable {
        let state = Mutex(State())

        func grant(_ bytes: Int) {
            resume { $0.credit += bytes }
        }

        func end() {
            let tasks = state.withLock { $0.tasks }
            resume { $0.isOver = true }
            for task in tasks { task.cancel() }
        }

        func resume(_ change: (inout State) -> Void) {
            let waiters = state.withLock { state in
                change(&state)
                defer { state.waiters = [] }
                return state.waiters
            }
            for waiter in waiters { waiter.resume() }
        }
    }

    let inbox: StreamInbox
    private let shared = Shared()

    init() {
        inbox = StreamInbox(grant: { [shared] in shared.grant($0) }, cancel: { [shared] in shared.end() })
    }

    func run(deadline: ContinuousClock.Instant?, _ body: @escaping @Sendable () async throws -> Void) {
        let work = Task { [self] in
            let result: Result<Void, RPCError>
            do {
                result = .success(try await body())
            } catch {
                result = .failure(RPCError(thrown: error).withoutHint)
            }
            inbox.finish(result)
            shared.end()
        }
        var tasks = [work]
        if let deadline {
            tasks.append(
                Task { [inbox, shared] in
                    guard (try? await Task.sleep(until: deadline, clock: .continuous)) != nil else { return }
                    inbox.finish(.failure(.deadlineExceeded))
                    shared.end()
                })
        }
        let isOver = shared.state.withLock { state in
            state.tasks = tasks
            return state.isOver
        }
        if isOver { for task in tasks { task.cancel() } }
    }

    func respond(_ bytes: [UInt8]) { inbox.deliver(RPCPayload(bytes)) }

    func write(_ bytes: [UInt8]) async throws {
        while true {
            try Task.checkCancellation()
            let (isOver, isSent) = shared.state.withLock { state in
                guard !state.isOver, state.credit > 0 else { return (state.isOver, false) }
                state.credit -= StreamCredit.cost(bytes.count)
                return (false, true)
            }
            if isOver { throw CancellationError() }
            if isSent { return inbox.deliver(RPCPayload(bytes)) }
            await withTaskCancellationHandler {
                await withUnsafeContinuation { continuation in
                    let resumes = shared.state.withLock { state in
                        if state.isOver || state.credit > 0 || Task.isCancelled { return true }
                        state.waiters.append(continuation)
                        return false
                    }
                    if resumes { continuation.resume() }
                }
            } onCancel: {
                shared.resume { _ in }
            }
        }
    }
}
