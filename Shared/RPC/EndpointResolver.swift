/// Knows which instances live and which one owns a slot. `instances` and `owner` are asked for every call, on the
/// client's socket thread: they answer at once from what is known.
public protocol EndpointResolver: Sendable {
    /// The live instances of a service, in any order.
    func instances(of service: String) -> [Endpoint]

    /// The owner of a slot of a service; nil when nobody is known to own it.
    func owner(of service: String, slot: Int) -> Endpoint?

    /// Looks again, because a call met a wrong owner or a dead instance.
    func refresh() async
}
