/// Which session timers (RFC 4028) an endpoint asks for and accepts, in whole seconds.
///
/// With a policy the endpoint announces `timer`, negotiates in INVITE and UPDATE both ways, refuses shorter intervals with
/// 422 and raises its own when it is told 422. The outcome stands in ``DialogState/session``; ``SessionTimer`` says when to
/// refresh and when the session is over.
public struct SessionTimerPolicy: Hashable, Sendable {
    /// What we ask for. RFC 4028 recommends 1800.
    public var interval: UInt32
    /// The shortest interval that we accept: at least 90.
    public var minimum: UInt32

    public init(interval: UInt32 = 1800, minimum: UInt32 = 90) {
        self.interval = interval
        self.minimum = minimum
    }
}
