import Glibc
public import Runtime
import Synchronization

/// One thread that owns ZeroMQ sockets: it drains them without waiting, runs what was posted to it, sends what came of
/// that, and sleeps in `poll` only when there is nothing left. As a task executor it runs Swift tasks between its
/// messages, so that a handler needs no thread switch. Wake-ups are coalesced: posting to a loop that is awake costs no
/// system call, and what the loop's own thread posts not even a lock.
public final class SocketLoop: TaskExecutor, @unchecked Sendable {
    // `@unchecked`: `mailbox` has its lock; everything marked "loop thread" is touched on that thread only.

    private enum Item {
        case job(UnownedJob)
        case action(@Sendable () -> Void)
    }

    private struct Mailbox {
        var items: [Item] = []
        var whenEnded: [UnsafeContinuation<Void, Never>] = []
        var isAsleep = false
        var hasEnded = false
    }

    private struct Source {
        let socket: ZeroMQSocket
        let whenReadable: Bool
        let drain: () -> Bool
        let flush: (() -> Void)?
    }

    private let mailbox = Mutex(Mailbox())
    private let wake: EventDescriptor
    private let thread = Mutex<LoopThread?>(nil)
    private let threadNumber = Atomic<UInt>(0)

    // Loop thread.
    private var sources: [ObjectIdentifier: Source] = [:]
    /// The wake-up's, then those of `polled`.
    private var descriptors: [pollfd] = []
    private var polled: [Source] = []
    /// Which of `polled` is to be looked at, of those that are only when readable.
    private var isDue: [Bool] = []
    private var local: [Item] = []
    private var spare: [Item] = []
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
    public func post(_ action: @escaping @Sendable () -> Void) -> Bool { take(.action(action)) }

    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if !take(.job(job)) { globalConcurrentExecutor.enqueue(job) }
    }

    private func take(_ item: Item) -> Bool {
        if isCurrent {
            local.append(item)
            return true
        }
        let (isTaken, mustWake) = mailbox.withLock { box in
            if box.hasEnded { return (false, false) }
            box.items.append(item)
            defer { box.isAsleep = false }
            return (true, box.isAsleep)
        }
        if mustWake { wake.signal() }
        return isTaken
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

    /// Watches a socket until it is removed or closed.
    /// - Parameters:
    ///   - whenReadable: looked at only when it has become readable, until it is empty, which spares the system calls of
    ///     looking in vain. For a socket that is only read: anything else that is done with it takes in news of which
    ///     its descriptor keeps silent then (`look(at:)`).
    ///   - flush: called at the end of each turn, to send what the turn has made, all at once.
    ///   - drain: takes a bounded number of messages; false when it found none, and may be when it left none.
    public func add(
        _ socket: ZeroMQSocket, whenReadable: Bool = false, flush: (() -> Void)? = nil, drain: @escaping () -> Bool
    ) {
        sources[ObjectIdentifier(socket)] = Source(
            socket: socket, whenReadable: whenReadable, drain: drain, flush: flush)
        socket.closing = { [unowned self, unowned socket] in remove(socket) }
        descriptors = []
    }

    public func remove(_ socket: ZeroMQSocket) {
        sources[ObjectIdentifier(socket)] = nil
        socket.closing = nil
        descriptors = []
    }

    /// Has the socket looked at in the next turn, whatever its descriptor says.
    public func look(at socket: ZeroMQSocket) {
        guard let index = polled.firstIndex(where: { $0.socket === socket }), index < isDue.count else { return }
        isDue[index] = true
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
        // Some socket has more than it was asked for: the others are not to wait until it is empty.
        var isBehind = false
        while !isStopping {
            turns &+= 1
            if descriptors.isEmpty { watchSources() } else if isBehind || turns & 63 == 0 { look(0) }
            var worked = false
            isBehind = false
            for (index, source) in polled.enumerated() where isDue[index] || !source.whenReadable {
                let found = source.drain()
                if found { worked = true }
                isDue[index] = found && source.whenReadable
                if isDue[index] { isBehind = true }
            }
            if runItems() { worked = true }
            if runTimer() { worked = true }
            // Sources have come or gone, perhaps together with who owns them: look at those that are left.
            if descriptors.isEmpty { continue }
            for source in polled { source.flush?() }
            // Sending takes in what the sockets' I/O threads have told them, and their descriptors keep silent about
            // that from then on: only a turn in which nothing happened ends in sleep.
            if !worked && !isStopping { sleep() }
        }
        end()
    }

    private func runTimer() -> Bool {
        guard timerDue != .max else { return false }
        let now = MonotonicTime.now()
        guard now >= timerDue else { return false }
        timerDue = .max
        let next = timer(now)
        timerDue = min(timerDue, next)
        return true
    }

    /// Milliseconds until the timer is due, rounded up; negative: never.
    private var timeout: Int32 {
        guard timerDue != .max else { return -1 }
        let now = MonotonicTime.now()
        return now >= timerDue ? 0 : Int32(clamping: (timerDue - now + 999_999) / 1_000_000)
    }

    private func sleep() {
        let isIdle = mailbox.withLock { box in
            box.isAsleep = box.items.isEmpty
            return box.isAsleep
        }
        if isIdle && !descriptors.isEmpty { look(timeout) }
        mailbox.withLock { $0.isAsleep = false }
    }

    /// Sees which sockets are readable; waits for one, or for being woken, at most so many milliseconds.
    private func look(_ timeout: Int32) {
        guard poll(&descriptors, nfds_t(descriptors.count), timeout) > 0 else { return }
        if descriptors[0].revents != 0 { wake.drain() }
        for index in isDue.indices where descriptors[index + 1].revents != 0 { isDue[index] = true }
    }

    private func watchSources() {
        polled = Array(sources.values)
        isDue = polled.map(\.whenReadable)
        descriptors = ([wake.number] + polled.map(\.socket.descriptor)).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
    }

    /// Runs what was posted, and what that posts, a few times over; true when there was anything.
    private func runItems() -> Bool {
        var items: [Item] = []
        swap(&items, &spare)
        var worked = false
        for round in 0..<4 {
            swap(&items, &local)
            if round == 0 {
                mailbox.withLock { box in
                    guard !box.items.isEmpty else { return }
                    items += box.items
                    box.items.removeAll(keepingCapacity: true)
                }
            }
            if items.isEmpty { break }
            worked = true
            let executor = asUnownedTaskExecutor()
            for item in items {
                switch item {
                case .job(let job): job.runSynchronously(on: executor)
                case .action(let action): action()
                }
            }
            items.removeAll(keepingCapacity: true)
        }
        swap(&items, &spare)
        return worked
    }

    private func end() {
        var left = Mailbox()
        mailbox.withLock { box in
            swap(&left, &box)
            box.hasEnded = true
        }
        var items = local + left.items
        while !items.isEmpty {
            local = []
            for item in items {
                switch item {
                case .job(let job): globalConcurrentExecutor.enqueue(job)
                case .action(let action): action()
                }
            }
            items = local
        }
        // Another thread may get our number.
        threadNumber.store(0, ordering: .relaxed)
        for source in sources.values { source.socket.closing = nil }
        sources = [:]
        polled = []
        timer = { _ in .max }
        for waiter in left.whenEnded { waiter.resume() }
    }
}
