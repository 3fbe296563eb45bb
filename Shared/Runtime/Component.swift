/// A part of a service that is started and stopped in order with the others.
public protocol Component: Sendable {
    /// For the log: a word of ours.
    var name: String { get }

    /// Returns once the part works, or throws why it cannot.
    func start() async throws

    /// Takes no more work, finishes what it carries, and returns. The runner does not wait past the drain deadline.
    func stop() async
}

extension Component {
    public func stop() async {}
}
