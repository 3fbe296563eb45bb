import Synchronization

/// Counts from any thread.
final class Tally: Sendable {
    private let number = Atomic<Int>(0)

    var value: Int { number.load(ordering: .acquiring) }

    /// One more; returns the new count.
    @discardableResult
    func add() -> Int { number.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue }
}
