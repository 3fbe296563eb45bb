import CLinux
import Glibc
import Synchronization

/// What to start, and how it shall end.
public struct ChildProcessRequest: Sendable {
    /// An absolute path; the search path is not looked at.
    public var executable: String
    public var arguments: [String]
    /// The whole environment of the child.
    public var environment: [String: String]
    public var directory: String?
    /// Nil: as the parent's.
    public var user: (user: UInt32, group: UInt32)?
    /// Descriptors that the child gets under the same numbers, beside the standard ones.
    public var inherited: [Int32] = []
    /// Descriptors for standard input, output and error; the parent keeps its own.
    public var standardInput: Int32 = 0
    public var standardOutput: Int32 = 1
    public var standardError: Int32 = 2
    /// The signal that the child gets when its parent is gone, however that ended.
    public var deathSignal: Int32 = 9

    public init(
        executable: String, arguments: [String] = [], environment: [String: String] = [:], directory: String? = nil
    ) {
        self.executable = executable
        self.arguments = arguments
        self.environment = environment
        self.directory = directory
    }
}

/// A program started by a `ChildSpawner`, in a process group of its own.
public final class ChildProcess: Sendable {
    public let identifier: Int32
    private struct State {
        var status: Int32?
        var waiters: [CheckedContinuation<Int32, Never>] = []
    }
    private let state = Mutex(State())

    package init(identifier: Int32) { self.identifier = identifier }

    /// Sends a signal to the child alone; nothing when it has ended.
    public func signal(_ number: Int32) {
        // Not reaped while the status is missing, so the id cannot have gone to another process.
        state.withLock { state in
            if state.status == nil { kill(identifier, number) }
        }
    }

    /// Waits for the end: the exit status, or 128 + signal.
    public var exitStatus: Int32 {
        get async {
            await withCheckedContinuation { continuation in
                let status = state.withLock { state -> Int32? in
                    if state.status == nil { state.waiters.append(continuation) }
                    return state.status
                }
                if let status { continuation.resume(returning: status) }
            }
        }
    }

    public var hasEnded: Bool { state.withLock { $0.status != nil } }

    /// Reaps the child if it has ended. Called by the spawner's thread only.
    package func reap() -> Bool {
        let (ended, waiters) = state.withLock { state -> (Int32?, [CheckedContinuation<Int32, Never>]) in
            let status = bw_process_reap(identifier)
            guard status != -2 else { return (nil, []) }
            state.status = status
            defer { state.waiters = [] }
            return (status, state.waiters)
        }
        guard let ended else { return false }
        for waiter in waiters { waiter.resume(returning: ended) }
        return true
    }
}
