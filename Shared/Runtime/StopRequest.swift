import CLinux
import Glibc
import Synchronization

/// Why a process is asked to end: SIGTERM, SIGINT, the SIGHUP of a terminal that was closed, or a call of `request()`. The
/// first counts, further ones change nothing, but a second SIGTERM or SIGINT ends the process at once.
public final class StopRequest: Sendable {
    private struct State {
        var isRequested = false
        var isForGood = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    /// - Parameter watchingSignals: take over these signals, and ignore SIGPIPE; once in a process. A SIGHUP that is
    ///   ignored, as by nohup(1), stays so.
    public init(watchingSignals: Bool) throws(SystemError) {
        guard watchingSignals else { return }
        let pipe = try SystemError.check("sigaction", bw_signals_watch())
        _ = try LoopThread(name: "signals") { [weak self] in
            var byte: UInt8 = 0
            while unsafe read(pipe, &byte, 1) != 0 {
                guard let self else { return }
                // The kernel and the shell both tell of a closed terminal.
                if self.isRequested, Int32(byte) != SIGHUP { _exit(128 + Int32(byte)) }
                self.request(forGood: Int32(byte) != SIGTERM)
            }
        }
    }

    public var isRequested: Bool { state.withLock { $0.isRequested } }

    /// SIGINT was the first to ask: the whole system ends, so nobody is going to take over. SIGTERM and `request()` end this
    /// process alone.
    public var isForGood: Bool { state.withLock { $0.isForGood } }

    public func request() { request(forGood: false) }

    private func request(forGood: Bool) {
        let waiters = state.withLock { state in
            if !state.isRequested { state.isForGood = forGood }
            state.isRequested = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once the end is requested.
    public func wait() async {
        await withCheckedContinuation { continuation in
            let isRequested = state.withLock { state in
                if !state.isRequested { state.waiters.append(continuation) }
                return state.isRequested
            }
            if isRequested { continuation.resume() }
        }
    }
}
