import Runtime

/// A program that the supervisor keeps running.
struct ManagedProcess: Sendable {
    /// Shown to the operator; names the log file.
    let name: String
    /// Made anew for each start. Waits for a predecessor that is still dying, opens descriptors.
    let request: @Sendable () async throws -> ChildProcessRequest
    /// Asked again and again after a start, with the process's id, until it says yes.
    let isReady: @Sendable (Int32) async -> Bool
    /// Signals that end it, each with the time it gets; SIGKILL follows.
    let stopping: [(signal: Int32, limit: Duration)]
    var readyLimit: Duration = .seconds(60)
}

/// The system could not be brought up.
struct StartFailure: Error, Sendable, CustomStringConvertible {
    let description: String
    /// The status `bellwire up` ends with.
    var exitStatus: Int32 = 1
}
