package import Domain

/// What everybody may know of how far a call got; one version of it is stored and published with each step.
package struct CallProgress: Hashable, Sendable, Codable {
    package var state: CallState = .unknown
    /// Set once, when the call ends or is diverted.
    package var termination: Termination?
    package var divertedToVoicemail = false
    /// Rises by one with every step; 0 before the first.
    package var version: UInt64 = 0
    package var created: Moment
    package var updated: Moment
    package var ringing: Moment?
    package var answered: Moment?
    /// When the last leg was gone; a diverted call lasts as long as its message.
    package var ended: Moment?

    package init(created: Moment) {
        self.created = created
        self.updated = created
    }
}
