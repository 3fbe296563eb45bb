public import Runtime
import Synchronization

/// Runs blocking file work in order on a thread of its own, so that Swift's pool never waits for a disk.
public final class DiskThread: Component {
    public let name = "disk"
    private struct Queue {
        var jobs: [@Sendable () -> Void] = []
        var isStopping = false
        var thread: LoopThread?
    }
    private let queue = Mutex(Queue())
    private let wake: EventDescriptor
    private let poller: Poller

    public init() throws(SystemError) {
        wake = try EventDescriptor()
        poller = try Poller()
        try poller.add(wake.number, .readable, token: 0)
    }

    public func start() async throws {
        let thread = try LoopThread(name: "disk") { [self] in run() }
        queue.withLock { $0.thread = thread }
    }

    /// Ends after the work that waits is done; later work is refused with `CancellationError`.
    public func stop() async {
        let thread = queue.withLock { queue in
            queue.isStopping = true
            return queue.thread
        }
        wake.signal()
        thread?.join()
    }

    /// The result of `body`, run on the disk thread after what was asked before.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let isAccepted = queue.withLock { queue in
                guard !queue.isStopping else { return false }
                queue.jobs.append { continuation.resume(with: Result { try body() }) }
                return true
            }
            if isAccepted { wake.signal() } else { continuation.resume(throwing: CancellationError()) }
        }
    }

    private func run() {
        while true {
            let (jobs, isStopping) = queue.withLock { queue in
                defer { queue.jobs = [] }
                return (queue.jobs, queue.isStopping)
            }
            for job in jobs { job() }
            if !jobs.isEmpty { continue }
            if isStopping { return }
            _ = try? poller.wait(timeout: nil)
            wake.drain()
        }
    }
}
