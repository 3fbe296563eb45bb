public import Runtime

/// This instance's part of a consumer group; see `EventBus.consume`.
public final class ConsumerGroup: Component {
    public let name: String

    init(name: String) { self.name = name }

    public func start() async throws { fatalError("to come") }

    /// Finishes the events in hand and gives the partitions to others.
    public func stop() async {}
}
