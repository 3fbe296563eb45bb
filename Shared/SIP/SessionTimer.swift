/// The session timer of one dialog (RFC 4028 section 10): when to refresh, and when the session is over.
///
/// A value that is told what happens and what time it is: a time is the duration since any fixed moment of a clock that only
/// moves forward. Tell it each ``DialogState/session`` that a 2xx to INVITE or UPDATE brings, sent or received. A process
/// that takes a call over tells it so.
public struct SessionTimer: Hashable, Sendable, Codable {
    public enum Action: Hashable, Sendable {
        /// Send an UPDATE, or a re-INVITE with the present description where UPDATE is not allowed.
        case refresh
        /// Nobody refreshed: end the call with BYE.
        case expire
    }

    /// Nil: no timer runs.
    public private(set) var agreement: SessionAgreement?
    /// Nil while a refresh of ours is on its way, and when refreshing is not ours.
    private var refreshAt: Duration?
    private var expireAt: Duration

    public init(_ agreement: SessionAgreement?, at now: Duration) {
        self.agreement = agreement
        let interval = Duration.seconds(agreement?.interval ?? 0)
        refreshAt = agreement?.isRefreshedByUs == true ? now + interval / 2 : nil
        // A little before the end, so that the BYE finds the dialog.
        expireAt = now + interval - min(.seconds(32), interval / 3)
    }

    /// A refresh succeeded, in either direction, or the session was agreed upon anew.
    public mutating func agreed(_ agreement: SessionAgreement?, at now: Duration) {
        self = SessionTimer(agreement, at: now)
    }

    /// A refresh of ours failed for a reason that passes, such as 491 or 500 with Retry-After: it is asked for again.
    public mutating func refreshFailed(at now: Duration, retryAfter: Duration = .seconds(5)) {
        guard agreement != nil, refreshAt == nil else { return }
        refreshAt = now + retryAfter
    }

    /// The time that a side has left, at the least, once somebody is there again who would hear from it.
    private static let grace: Duration = .seconds(32)

    /// A process goes on with it after another. A refresh that was due or on its way is sent; a session that ran out while
    /// nobody was there is refreshed too, before it counts as over.
    public mutating func resumed(at now: Duration) {
        guard let agreement else { return }
        let grace = min(SessionTimer.grace, .seconds(agreement.interval) / 3)
        if agreement.isRefreshedByUs {
            refreshAt = refreshAt ?? now
        } else if expireAt <= now {
            refreshAt = now
        }
        expireAt = max(expireAt, now + grace)
    }

    /// When ``due(at:)`` has something to say next; nil without a timer.
    public var deadline: Duration? {
        agreement == nil ? nil : min(refreshAt ?? expireAt, expireAt)
    }

    /// What is to be done now, each thing once; nil when nothing is.
    public mutating func due(at now: Duration) -> Action? {
        guard agreement != nil else { return nil }
        if now >= expireAt {
            agreement = nil
            return .expire
        }
        guard let refreshAt, now >= refreshAt else { return nil }
        self.refreshAt = nil
        return .refresh
    }
}
