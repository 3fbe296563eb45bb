import Glibc
public import Runtime
import Synchronization

/// One thread that ticks every session of the process each 20 ms, and sleeps while there are none.
public final class MediaThread: Component {
    public static let interval = Duration.milliseconds(20)
    /// Ticks that are made up for when the thread came late; beyond them the clock starts anew.
    public static let maximumLag = 10

    public let name = "media"
    private struct Mailbox {
        var added: [any MediaSession] = []
        var isStopping = false
        var thread: LoopThread?
    }
    private let mailbox = Mutex(Mailbox())
    private let wake: EventDescriptor
    private let poller: Poller

    public init() throws(SystemError) {
        wake = try EventDescriptor()
        poller = try Poller()
        try poller.add(wake.number, .readable, token: 0)
    }

    /// The clock of sessions: monotonic, from an arbitrary beginning.
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Duration(time)
    }

    public func start() async throws {
        let thread = try LoopThread(name: "media") { [self] in run() }
        mailbox.withLock { $0.thread = thread }
    }

    /// Drops all sessions and ends the thread.
    public func stop() async {
        let thread = mailbox.withLock { mailbox in
            mailbox.isStopping = true
            return mailbox.thread
        }
        wake.signal()
        thread?.join()
    }

    /// Has the session ticked from now on. Any thread.
    public func add(_ session: any MediaSession) {
        mailbox.withLock { $0.added.append(session) }
        wake.signal()
    }

    private func run() {
        var sessions: [any MediaSession] = []
        var next = Self.now
        while true {
            let (added, isStopping) = mailbox.withLock { mailbox in
                defer { mailbox.added.removeAll(keepingCapacity: true) }
                return (mailbox.added, mailbox.isStopping)
            }
            if isStopping { return }
            if sessions.isEmpty { next = Self.now }
            if !added.isEmpty { sessions += added }
            if sessions.isEmpty {
                _ = try? poller.wait(timeout: nil)
                wake.drain()
                continue
            }
            let now = Self.now
            if now - next > Self.interval * Self.maximumLag { next = now }
            if now < next {
                Self.sleep(until: next)
                continue
            }
            next += Self.interval
            tick(&sessions, now: now)
        }
    }

    private func tick(_ sessions: inout [any MediaSession], now: Duration) {
        var index = 0
        while index < sessions.count {
            if sessions[index].tick(now: now) {
                index += 1
            } else {
                sessions.swapAt(index, sessions.count - 1)
                sessions.removeLast()
            }
        }
    }

    private static func sleep(until time: Duration) {
        let (seconds, attoseconds) = time.components
        var wakeTime = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wakeTime, nil)
    }
}
