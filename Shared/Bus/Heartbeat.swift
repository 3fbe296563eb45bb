import Runtime

/// Calls `beat` at a steady pace from a thread of its own, so that only a pause of the whole process delays it, not work
/// that fills Swift's pool.
final class Heartbeat: Sendable {
    private let wake: EventDescriptor
    private let thread: LoopThread

    init(period: Duration, beat: @escaping @Sendable () -> Void) throws(SystemError) {
        let wake = try EventDescriptor()
        let poller = try Poller()
        try poller.add(wake.number, .readable, token: 0)
        self.wake = wake
        thread = try LoopThread(name: "heartbeat", stackBytes: 256 << 10) {
            // Woken only to end.
            while let events = try? poller.wait(timeout: period), events.isEmpty { beat() }
        }
    }

    /// The thread ends within one beat.
    func stop() {
        wake.signal()
        thread.join()
    }
}
