/// Told when slots come and go. Called one after the other, never two at once, from a task of its own: a slow handler
/// delays no renewal.
public protocol SlotHandler: Sendable {
    /// The slot is ours, and `Membership.lease` gives its lease already: rebuild what is pinned to it.
    func acquired(_ lease: SlotLease) async

    /// The slot is no longer ours: forget what is pinned to it. When it is handed over in peace, the next owner gets
    /// it only after this has returned; `Membership.lease` is nil already.
    func lost(_ lease: SlotLease) async

    /// A busy slot is not handed over to an instance that joins.
    func isBusy(slot: Int) async -> Bool
}

extension SlotHandler {
    public func acquired(_ lease: SlotLease) async {}
    public func lost(_ lease: SlotLease) async {}
    public func isBusy(slot: Int) async -> Bool { false }
}
