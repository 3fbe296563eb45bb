/// What a call carries with it besides its request. Onward calls made while a handler runs inherit the remaining
/// deadline and the trace through `current`.
public struct CallContext: Sendable {
    /// When the caller stops waiting; nil: never.
    public var deadline: ContinuousClock.Instant?
    public var traceID: TraceID
    /// Who called: `service/instance`, such as `calls/calls-1`.
    public var caller: String

    public init(
        deadline: ContinuousClock.Instant? = nil, traceID: TraceID = .make(), caller: String = ""
    ) {
        self.deadline = deadline
        self.traceID = traceID
        self.caller = caller
    }

    /// The context of the call that this task serves; nil outside handlers.
    @TaskLocal public static var current: CallContext?

    /// What is left until the deadline, never negative; nil: no deadline.
    public var remaining: Duration? {
        deadline.map { max(.zero, $0 - .now) }
    }
}
