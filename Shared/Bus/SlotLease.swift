/// The right to act for one slot of a group, as of one epoch. Whoever takes the slot over raises the epoch; `fence`
/// then refuses this lease.
public struct SlotLease: Hashable, Sendable {
    /// The name of a service with pinned things (`calls`), or `consumer:<group>`, or `sequencer`.
    public let group: String
    public let slot: Int
    public let epoch: Int64

    public init(group: String, slot: Int, epoch: Int64) {
        self.group = group
        self.slot = slot
        self.epoch = epoch
    }
}
