import CLinux

/// Wakes a loop from any thread (eventfd). Signals given while the loop is awake are one wake-up.
public final class EventDescriptor: Sendable {
    private let descriptor: OwnedDescriptor

    public init() throws(SystemError) {
        descriptor = OwnedDescriptor(try SystemError.check("eventfd", bw_eventfd_make()))
    }

    /// Readable while a signal waits.
    public var number: Int32 { descriptor.number }

    public func signal() { _ = bw_eventfd_signal(descriptor.number) }

    /// Takes all waiting signals.
    public func drain() { _ = bw_eventfd_drain(descriptor.number) }
}
