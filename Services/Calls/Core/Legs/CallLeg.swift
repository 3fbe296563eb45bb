package import SIP

/// A side that is called: what it takes to go on with it.
package struct CallLeg: Hashable, Sendable, Codable {
    package let target: LegTarget
    /// Nil until it is made.
    package var invite: InviteState?
    /// Once answered.
    package var dialog: DialogState?
    /// What it said last about its media.
    package var description: String?

    package init(_ target: LegTarget) {
        self.target = target
    }
}
