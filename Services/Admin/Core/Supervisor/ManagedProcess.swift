package import Runtime

/// A program that the supervisor keeps running.
package struct ManagedProcess: Sendable {
    /// Shown to the operator; names the log file.
    package let name: String
    /// Made anew for each start. Waits for a predecessor that is still dying, opens descriptors.
    package let request: @Sendable () async throws -> ChildProcessRequest
    /// Asked again and again after a start, with the process's id, until it says yes.
    package let isReady: @Sendable (Int32) async -> Bool
    /// Signals that end it, each with the time it gets; SIGKILL follows.
    package let stopping: [(signal: Int32, limit: Duration)]
    package var readyLimit: Duration

    package init(
        name: String, request: @escaping @Sendable () async throws -> ChildProcessRequest,
        isReady: @escaping @Sendable (Int32) async -> Bool, stopping: [(signal: Int32, limit: Duration)],
        readyLimit: Duration = .seconds(60)
    ) {
        self.name = name
        self.request = request
        self.isReady = isReady
        self.stopping = stopping
        self.readyLimit = readyLimit
    }
}

/// The system could not be brought up.
package struct StartFailure: Error, Sendable, CustomStringConvertible {
    package let description: String
    /// The status `bellwire up` ends with.
    package var exitStatus: Int32

    package init(description: String, exitStatus: Int32 = ExitStatus.failure) {
        self.description = description
        self.exitStatus = exitStatus
    }
}
