/// A stream that the media thread serves. All calls come on that thread.
public protocol MediaSession: AnyObject, Sendable {
    /// Called every 20 ms: take what arrived, send a frame. Must not block, allocate or log.
    /// - Parameter now: on `MediaThread.now`'s clock.
    /// - Returns: false when the session is over and is to be dropped.
    func tick(now: Duration) -> Bool
}
