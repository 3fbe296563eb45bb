import CLinux

/// Waits for many descriptors at once (epoll, level-triggered). Used by one loop thread; adding and removing is safe from
/// any thread.
public final class Poller: Sendable {
    public struct Interest: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        public static let readable = Interest(rawValue: UInt32(BW_READABLE))
        public static let writable = Interest(rawValue: UInt32(BW_WRITABLE))
        /// Only reported: the peer closed, or the descriptor failed. Comes together with `readable`.
        public static let hungUp = Interest(rawValue: UInt32(BW_HUNG_UP))
    }

    public struct Event: Sendable {
        /// What was given with the descriptor.
        public let token: UInt64
        public let ready: Interest
    }

    private let descriptor: OwnedDescriptor

    public init() throws(SystemError) {
        descriptor = OwnedDescriptor(try SystemError.check("epoll_create", bw_poll_make()))
    }

    public func add(_ number: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        try SystemError.check("epoll_ctl", bw_poll_add(descriptor.number, number, interest.rawValue, token))
    }

    public func modify(_ number: Int32, _ interest: Interest, token: UInt64) throws(SystemError) {
        try SystemError.check("epoll_ctl", bw_poll_modify(descriptor.number, number, interest.rawValue, token))
    }

    /// To be called before the descriptor is closed.
    public func remove(_ number: Int32) {
        _ = bw_poll_remove(descriptor.number, number)
    }

    /// Waits until something is ready, or for `timeout` (nil: for ever).
    public func wait(timeout: Duration?) throws(SystemError) -> [Event] {
        let capacity = 64
        var count: Int32 = 0
        let milliseconds = timeout.map(Poller.milliseconds) ?? -1
        let raw = unsafe [bw_poll_event](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            count = unsafe bw_poll_wait(descriptor.number, buffer.baseAddress, Int32(capacity), milliseconds)
            initialized = max(0, Int(count))
        }
        try SystemError.check("epoll_wait", count)
        return raw.map { Event(token: $0.token, ready: Interest(rawValue: $0.events)) }
    }

    /// Rounded up, so that a loop does not spin before its deadline.
    private static func milliseconds(_ duration: Duration) -> Int32 {
        guard duration > .zero else { return 0 }
        let (seconds, attoseconds) = duration.components
        let exact = Double(seconds) * 1000 + Double(attoseconds) / 1e15
        return Int32(min(exact.rounded(.up), Double(Int32.max)))
    }
}
