package import Bus
package import SIP

/// A BYE of ours to a side that may not have heard it.
package struct Farewell: Hashable, Sendable, Codable {
    /// As it was before the BYE.
    package let dialog: DialogState
    /// Text of the Reason header (RFC 3326).
    package let reason: String?

    package init(in dialog: DialogState, reason: SIPHeader?) {
        self.init(dialog: dialog, reason: reason?.value)
    }

    private init(dialog: DialogState, reason: String?) {
        self.dialog = dialog
        self.reason = reason
    }

    /// For a process that says it again.
    var restored: Farewell { Farewell(dialog: dialog.restored(), reason: reason) }

    var request: OutgoingRequest {
        OutgoingRequest(.bye, headers: reason.map { [SIPHeader("Reason", $0)] } ?? [])
    }
}

/// Where BYEs are kept that wait for their answer. Throws `StoreError`.
package protocol FarewellStorage: Sendable {
    /// Also in the place of what was kept of that dialog.
    func keep(_ farewell: Farewell, under lease: SlotLease) async throws
    func drop(_ farewell: Farewell, under lease: SlotLease) async throws
    /// Those of the slot that somebody may still wait for. Older ones are dropped: a BYE is repeated for 64*T1, 32 s
    /// (RFC 3261 section 17.1.2.2).
    func farewells(under lease: SlotLease) async throws -> [Farewell]
}
