public import Bus
public import Domain
public import RPC
public import Runtime

/// What a service adds to its host.
public struct ServiceParts: Sendable {
    /// What it answers by RPC, beside `bellwire.runtime.v1`.
    public var handlers: [any RPCHandler]
    /// Started in this order once the database, RPC, membership and events work; stopped in reverse before them.
    public var components: [any Component]
    /// Told when slots come and go.
    public var slotHandler: (any SlotHandler)?
    /// How many slots the service's instances share.
    public var slots: Int
    /// What the service cannot work without, beside the database.
    public var checks: [ReadinessCheck]

    public init(
        handlers: [any RPCHandler] = [], components: [any Component] = [], slotHandler: (any SlotHandler)? = nil,
        slots: Int = Slot.count, checks: [ReadinessCheck] = []
    ) {
        self.handlers = handlers
        self.components = components
        self.slotHandler = slotHandler
        self.slots = slots
        self.checks = checks
    }
}

/// Something that must work for the service to take new work.
public struct ReadinessCheck: Sendable {
    /// A word, like `relay`.
    public let name: String
    /// Answers at once from what is known.
    public let isReady: @Sendable () -> Bool

    public init(_ name: String, isReady: @escaping @Sendable () -> Bool) {
        self.name = name
        self.isReady = isReady
    }
}
