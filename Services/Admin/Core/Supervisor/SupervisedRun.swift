import Runtime

/// A supervisor's life: up, until a request to stop, down.
enum SupervisedRun {
    /// - Parameters:
    ///   - complain: says why the system could not be brought up.
    ///   - whenUp: runs once all is ready; cancelled by the stop.
    /// - Returns: the exit status.
    static func run(
        _ supervisor: Supervisor, until stop: StopRequest, complain: @escaping @Sendable (Complaint) -> Void,
        whenUp: @escaping @Sendable () async -> Void
    ) async -> Int32 {
        let work = Task { () -> Int32 in
            do {
                try await supervisor.start()
                await whenUp()
                return ExitStatus.success
            } catch is CancellationError {
                return ExitStatus.success
            } catch {
                let complaint = Complaint(error)
                complain(complaint)
                stop.request()
                return complaint.exitStatus
            }
        }
        await stop.wait()
        work.cancel()
        await supervisor.stop()
        let status = await work.value
        // What was started while the stop was on its way.
        await supervisor.stop()
        return status
    }
}
