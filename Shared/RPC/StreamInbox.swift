import Synchronization

/// What has arrived of a stream and was not read yet: bounded by the credit that the reader grants.
final class StreamInbox: Sendable {
    fileprivate struct State {
        var items: [RPCPayload] = []
        var first = 0
        var ending: Result<Void, RPCError>?
        var waiting: UnsafeContinuation<Void, Never>?
        /// What the sender may be ahead; grows for a reader that keeps up.
        var window = StreamCredit.window
        /// Taken since the last grant.
        var consumed = 0
        /// Everything was read at some moment since the last grant.
        var ranDry = false
    }

    private let state = Mutex(State())
    private let grant: @Sendable (Int) -> Void
    private let cancelCall: @Sendable () -> Void

    /// - Parameters:
    ///   - grant: tells the sender that the reader took so many bytes.
    ///   - cancel: tells the sender that nobody reads any more.
    init(grant: @escaping @Sendable (Int) -> Void, cancel: @escaping @Sendable () -> Void) {
        self.grant = grant
        cancelCall = cancel
    }

    /// Called by the transport, in order.
    func deliver(_ payload: RPCPayload) {
        let waiting = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            guard state.ending == nil else { return nil }
            state.items.append(payload)
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// The end after what was delivered; the first one counts.
    func finish(_ ending: Result<Void, RPCError>) {
        let waiting = state.withLock { state -> UnsafeContinuation<Void, Never>? in
            if state.ending == nil { state.ending = ending }
            return state.waiting.take()
        }
        waiting?.resume()
    }

    /// Ends the stream from the reader's side: nothing more is delivered.
    func cancel() {
        state.withLock { state in
            state.items = []
            state.first = 0
        }
        finish(.failure(.cancelled))
        cancelCall()
    }

    fileprivate enum Step {
        case item(RPCPayload, grant: Int)
        case end(Result<Void, RPCError>)
        case wait
    }

    /// The next item; nil at the end. One reader at a time.
    func next() async throws(RPCError) -> RPCPayload? {
        while true {
            switch state.withLock({ $0.step() }) {
            case .item(let item, let bytes):
                if bytes > 0 { grant(bytes) }
                return item
            case .end(let ending):
                try ending.get()
                return nil
            case .wait: await arrival()
            }
        }
    }

    private func arrival() async {
        await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                let resumes = state.withLock { state in
                    if state.first < state.items.count || state.ending != nil { return true }
                    precondition(state.waiting == nil, "a stream has one reader")
                    state.waiting = continuation
                    return false
                }
                if resumes { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
    }
}

extension StreamInbox.State {
    fileprivate mutating func step() -> StreamInbox.Step {
        guard first < items.count else { return ending.map { .end($0) } ?? .wait }
        let item = items[first]
        first += 1
        if first == items.count {
            items.removeAll(keepingCapacity: true)
            first = 0
            ranDry = true
        } else if first > 1024 {
            items.removeFirst(first)
            first = 0
        }
        consumed += StreamCredit.cost(item.count)
        guard consumed >= window / 4 else { return .item(item, grant: 0) }
        var grant = consumed
        if ranDry && window < StreamCredit.largestWindow {
            grant += window
            window *= 2
        }
        consumed = 0
        ranDry = false
        return .item(item, grant: grant)
    }
}
