import CLinux
import Synchronization

/// A thread of its own for a loop: SIP, sockets, RTP ticks. The loop ends by itself when told to; `join` waits for that.
public final class LoopThread: Sendable {
    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    private let handle: UInt64
    private let isJoined = Atomic<Bool>(false)

    /// - Parameter name: shown by debuggers; its first 15 bytes.
    public init(name: String, stackBytes: Int = 1 << 20, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        let context = unsafe Unmanaged.passRetained(Body(name: String(name.prefix(15)), run: body))
        var thread: UInt64 = 0
        let result = unsafe bw_thread_start(
            { context in
                let body = unsafe Unmanaged<Body>.fromOpaque(context!).takeRetainedValue()
                unsafe bw_thread_name(body.name)
                body.run()
            }, context.toOpaque(), stackBytes, &thread)
        if result != 0 {
            unsafe context.release()
            throw SystemError("pthread_create")
        }
        handle = thread
    }

    /// Waits for the end of the body; not to be called on the thread itself. Further calls return at once.
    public func join() {
        guard !isJoined.exchange(true, ordering: .acquiringAndReleasing) else { return }
        bw_thread_join(handle)
    }
}
