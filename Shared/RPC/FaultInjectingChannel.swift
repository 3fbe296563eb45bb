import Synchronization

/// A channel over a bad network, for tests: calls come late, get lost, or are made twice, as the seed has it. It keeps the
/// promises of every channel: nobody waits past a deadline, and made again is only what is idempotent or surely did not
/// run.
public final class FaultInjectingChannel: RPCChannel {
    /// How often each fault strikes an attempt, from 0 (never) to 1 (always). At most one of the losses strikes.
    public struct Faults: Sendable {
        /// How late an attempt begins.
        public var delay: ClosedRange<Duration> = .zero ... .zero
        /// The request gets lost, and nobody is told: the caller waits for its deadline.
        public var lostRequests = 0.0
        /// The method runs; its answer gets lost, and nobody is told.
        public var lostAnswers = 0.0
        /// The connection breaks before the request was sent.
        public var brokenRequests = 0.0
        /// The connection breaks once the method has run: the caller cannot know that it has.
        public var brokenAnswers = 0.0
        /// An idempotent method runs twice at once; the first answer counts.
        public var doubledRequests = 0.0
        /// The connection breaks in place of a stream's next message.
        public var brokenStreams = 0.0

        public init() {}
    }

    fileprivate enum Loss { case none, request, answer, brokenRequest, brokenAnswer }

    fileprivate struct State {
        var faults: Faults
        var random: SplitMix
    }

    private let channel: any RPCChannel
    private let state: Mutex<State>

    public init(_ channel: any RPCChannel, _ faults: Faults, seed: UInt64) {
        self.channel = channel
        state = Mutex(State(faults: faults, random: SplitMix(state: seed)))
    }

    /// From the next attempt on.
    public func set(_ faults: Faults) { state.withLock { $0.faults = faults } }

    public func unary(
        _ method: MethodDescriptor, request: [UInt8], options: CallOptions
    ) async throws(RPCError) -> RPCPayload {
        if Task.isCancelled { throw .cancelled }
        let answers = begin(method, options) { [self] call, options in
            let answer = try await tryTwice(method) {
                try await withFaults(of: method) { [channel] in
                    try await channel.unary(method, request: request, options: options())
                }
            }
            call.respond(answer.bytes)
        }
        var iterator = answers.makeAsyncIterator()
        guard let answer = try await iterator.next() else { throw RPCError(.internal, "the method gave no answer") }
        _ = try await iterator.next()
        return answer
    }

    public func stream(_ method: MethodDescriptor, request: [UInt8], options: CallOptions) -> RPCByteStream {
        begin(method, options) { [self] call, options in
            let items = try await tryTwice(method) {
                try await withFaults(of: method) { [channel] in
                    channel.stream(method, request: request, options: options())
                }
            }
            for try await item in items {
                if breaksStream() { throw FaultInjectingChannel.broken }
                try await call.write(item.bytes)
            }
        }
    }

    /// A call that ends at its deadline, whatever `body` does. What `body` is given makes the options of an attempt that
    /// begins then.
    private func begin(
        _ method: MethodDescriptor, _ options: CallOptions,
        _ body: @escaping @Sendable (InProcessCall, @escaping @Sendable () -> CallOptions) async throws -> Void
    ) -> RPCByteStream {
        let wanted = (options.deadline ?? method.defaultDeadline).map { ContinuousClock.now + $0 }
        let deadline = [wanted, CallContext.current?.deadline].compactMap { $0 }.min()
        let call = InProcessCall()
        call.run(deadline: deadline) {
            try await body(call) {
                var options = options
                if let deadline { options.deadline = max(.zero, deadline - .now) }
                return options
            }
        }
        return RPCByteStream(call.inbox)
    }

    /// As `RPCClient` does it: once more when the connection broke, where that is allowed.
    private func tryTwice<Answer: Sendable>(
        _ method: MethodDescriptor, _ attempt: () async throws -> Answer
    ) async throws -> Answer {
        do {
            return try await attempt()
        } catch let error as RPCError where error == Self.notSent || error == Self.broken && method.idempotent {
            return try await attempt()
        }
    }

    private func withFaults<Answer: Sendable>(
        of method: MethodDescriptor, _ attempt: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let (delay, loss, isDoubled) = state.withLock { state in
            let span = state.faults.delay.upperBound - state.faults.delay.lowerBound
            let delay = state.faults.delay.lowerBound + span * state.random.fraction()
            return (delay, state.loss(), state.random.fraction() < state.faults.doubledRequests && method.idempotent)
        }
        if delay > .zero { try await Task.sleep(for: delay) }
        switch loss {
        case .request: try await Self.silence()
        case .brokenRequest: throw Self.notSent
        case .none, .answer, .brokenAnswer: break
        }
        let answer = isDoubled ? try await Self.firstOfTwo(attempt) : try await attempt()
        switch loss {
        case .answer: try await Self.silence()
        case .brokenAnswer: throw Self.broken
        case .none, .request, .brokenRequest: break
        }
        return answer
    }

    private static func firstOfTwo<Answer: Sendable>(
        _ attempt: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await withThrowingTaskGroup(of: Answer.self) { group in
            for _ in 0..<2 { group.addTask { try await attempt() } }
            defer { group.cancelAll() }
            return try await group.next()!
        }
    }

    private static let broken = RPCError(.unavailable, "the connection broke")
    private static let notSent = RPCError(.unavailable, "the connection broke", hint: .notSent)

    private func breaksStream() -> Bool {
        state.withLock { $0.random.fraction() < $0.faults.brokenStreams }
    }

    /// Until the deadline, or the caller, ends the call.
    private static func silence() async throws {
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}

extension FaultInjectingChannel.State {
    mutating func loss() -> FaultInjectingChannel.Loss {
        var left = random.fraction()
        let losses: [(Double, FaultInjectingChannel.Loss)] = [
            (faults.lostRequests, .request), (faults.lostAnswers, .answer), (faults.brokenRequests, .brokenRequest),
            (faults.brokenAnswers, .brokenAnswer),
        ]
        for (share, loss) in losses {
            if left < share { return loss }
            left -= share
        }
        return .none
    }
}

/// SplitMix64: the same numbers for the same seed, on every machine.
private struct SplitMix {
    var state: UInt64

    /// From 0 up to but not including 1.
    mutating func fraction() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
    }
}
