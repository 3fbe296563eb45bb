import CZMQ
import Glibc
public import Runtime
import Synchronization

/// One thread that owns ZeroMQ sockets: it drains them without waiting, runs what was posted to it, and only when
/// there is nothing left sleeps in `zmq_poll`. As a task executor it runs Swift tasks between its messages, so that a
/// handler needs no thread switch. Wake-ups are coalesced: posting to a loop that is awake costs no system call.
public final class SocketLoop: TaskExecutor, @unchecked Sendable {
    // `@unchecked`: `mailbox` has its lock; everything marked "loop thread" is touched on that thread only.

    private struct Mailbox {
        var jobs: [UnownedJob] = []
        var actions: [@Sendable () -> Void] = []
        var whenEnded: [UnsafeContinuation<Void, Never>] = []
        var isAsleep = false
        var hasEnded = false
    }

    private struct Source {
        let socket: ZeroMQSocket
        let isRare: Bool
        let drain: () -> Bool
    }

    private let mailbox = Mutex(Mailbox())
    private let wake: EventDescriptor
    private let thread = Mutex<LoopThread?>(nil)
    private let threadNumber = Atomic<UInt>(0)

    // Loop thread.
    private var sources: [ObjectIdentifier: Source] = [:]
    private var items: [zmq_pollitem_t] = []
    private var polled: [Source] = []
    private var isStopping = false
    private var timerDue: UInt64 = .max
    private var timer: (UInt64) -> UInt64 = { _ in .max }

    /// Starts the thread.
    public init(name: String) throws(SystemError) {
        wake = try EventDescriptor()
        let started = try LoopThread(name: name, stackBytes: 4 << 20) { [weak self] in self?.run() }
        thread.withLock { $0 = started }
    }

    /// True on the loop's thread.
    public var isCurrent: Bool { threadNumber.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Runs the closure on the loop's thread, after what was posted before; false once the loop has ended.
    @discardableResult
    public func post(_ action: @escaping @Sendable () -> Void) -> Bool {
        let (isPosted, mustWake) = mailbox.withLock { box in
            if box.hasEnded { return (false, false) }
            box.actions.append(action)
            defer { box.isAsleep = false }
            return (true, box.isAsleep)
        }
        if mustWake { wake.signal() }
        return isPosted
    }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (isQueued, mustWake) = mailbox.withLock { box in
            if box.hasEnded { return (false, false) }
            box.jobs.append(job)
            defer { box.isAsleep = false }
            return (true, box.isAsleep)
        }
        if mustWake { wake.signal() }
        if !isQueued { globalConcurrentExecutor.enqueue(job) }
    }

    /// Ends the thread after what was posted before, and waits for it. Later jobs run on Swift's own pool. Not to be
    /// called on the loop's thread.
    public func stop() async {
        stopWithoutWaiting()
        await withUnsafeContinuation { continuation in
            let hasEnded = mailbox.withLock { box in
                if !box.hasEnded { box.whenEnded.append(continuation) }
                return box.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
        // The thread is at its very end: this does not wait for anybody's work.
        thread.withLock { $0 }?.join()
    }

    /// Ends the thread after what was posted before.
    public func stopWithoutWaiting() {
        post { [self] in isStopping = true }
    }

    // MARK: On the loop's thread

    /// Watches a socket. `drain` takes a bounded number of messages and says whether there were any. A rare source is
    /// looked at only when it is readable and the loop would otherwise sleep, or at the timer.
    public func add(_ socket: ZeroMQSocket, isRare: Bool = false, drain: @escaping () -> Bool) {
        sources[ObjectIdentifier(socket)] = Source(socket: socket, isRare: isRare, drain: drain)
        items = []
    }

    public func remove(_ socket: ZeroMQSocket) {
        sources[ObjectIdentifier(socket)] = nil
        items = []
    }

    /// The loop's timer: called when due with the present time; returns when it wants to be called next.
    public func setTimer(due: UInt64, _ timer: @escaping (UInt64) -> UInt64) {
        self.timer = timer
        timerDue = due
    }

    /// Makes the timer due at that time if it would be later.
    public func hastenTimer(_ due: UInt64) { timerDue = min(timerDue, due) }

    private func run() {
        threadNumber.store(UInt(pthread_self()), ordering: .relaxed)
        var turns = 0
        while !isStopping {
            turns &+= 1
            let worked = runMailbox()
            if items.isEmpty { rebuildItems() }
            var received = false
            let looksAtRare = turns & 63 == 0
            for source in polled where looksAtRare || !source.isRare {
                if source.drain() { received = true }
            }
            let now = timerDue == .max ? 0 : MonotonicTime.now()
            if now >= timerDue {
                timerDue = .max
                let next = timer(now)
                timerDue = min(timerDue, next)
                continue
            }
            if worked || received || isStopping { continue }
            sleep(now)
        }
        end()
    }

    private func sleep(_ now: UInt64) {
        let isIdle = mailbox.withLock { box in
            box.isAsleep = box.jobs.isEmpty && box.actions.isEmpty
            return box.isAsleep
        }
        guard isIdle, !items.isEmpty else { return }
        let timeout = timerDue == .max ? -1 : Int((timerDue - now + 999_999) / 1_000_000)
        let ready = zmq_poll(&items, Int32(items.count), timeout)
        mailbox.withLock { $0.isAsleep = false }
        guard ready > 0 else { return }
        if items[0].revents != 0 { wake.drain() }
        let readable = zip(items.dropFirst(), polled).compactMap { $0.revents != 0 && $1.isRare ? $1 : nil }
        for source in readable { _ = source.drain() }
    }

    private func rebuildItems() {
        polled = Array(sources.values)
        items = [zmq_pollitem_t(socket: nil, fd: wake.number, events: Int16(ZMQ_POLLIN), revents: 0)]
        items += polled.map {
            zmq_pollitem_t(socket: $0.socket.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
        }
    }

    /// True when there was anything.
    private func runMailbox() -> Bool {
        var jobs: [UnownedJob] = []
        var actions: [@Sendable () -> Void] = []
        mailbox.withLock { box in
            swap(&jobs, &box.jobs)
            swap(&actions, &box.actions)
        }
        for action in actions { action() }
        for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        return !jobs.isEmpty || !actions.isEmpty
    }

    private func end() {
        var left = Mailbox()
        mailbox.withLock { box in
            swap(&left, &box)
            box.hasEnded = true
        }
        for action in left.actions { action() }
        for job in left.jobs { globalConcurrentExecutor.enqueue(job) }
        sources = [:]
        polled = []
        timer = { _ in .max }
        for waiter in left.whenEnded { waiter.resume() }
    }
}
