package import Bus

/// What slots that come and go mean for calls.
package struct CallSlots: SlotHandler {
    private let registry: CallRegistry
    private let recovery: CallRecovery

    package init(registry: CallRegistry, recovery: CallRecovery) {
        self.registry = registry
        self.recovery = recovery
    }

    package func acquired(_ lease: SlotLease) async {
        await recovery.add(lease)
    }

    /// Our calls of that slot are the next owner's to end.
    package func lost(_ lease: SlotLease) async {
        for call in registry.calls(under: lease) { await call.leaseLost() }
    }

    package func isBusy(slot: Int) async -> Bool { registry.hasCalls(slot: slot) }
}
