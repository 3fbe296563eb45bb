import Foundation
package import Runtime

/// Keeps one program running: starts it, waits until it is ready, starts it again with backoff when it ends.
package actor ProcessKeeper {
    package nonisolated let process: ManagedProcess
    private let spawner: ChildSpawner
    private let log: LogFile
    private let report: @Sendable (UpReport) -> Void
    private var child: ChildProcess?
    private var backoff: RestartBackoff
    private var keeping: Task<Void, Never>?
    private var isStopping = false

    package init(
        _ process: ManagedProcess, spawner: ChildSpawner, log: LogFile, backoff: RestartBackoff = RestartBackoff(),
        report: @escaping @Sendable (UpReport) -> Void
    ) {
        self.process = process
        self.spawner = spawner
        self.log = log
        self.backoff = backoff
        self.report = report
    }

    /// Returns when the program is ready for the first time.
    /// - Throws: `StartFailure` when it ends three times before that, or says that its configuration is wrong.
    package func start() async throws {
        var attempts = 0
        while true {
            attempts += 1
            let started = ContinuousClock.now
            let child = try await launch()
            if await becomesReady(child) {
                keep(child, since: started)
                return
            }
            guard !isStopping, !Task.isCancelled else { throw CancellationError() }
            guard child.hasEnded else {
                throw StartFailure(
                    description:
                        "\(process.name) is not ready after \(process.readyLimit.components.seconds) s; \(advice)")
            }
            let status = await child.exitStatus
            if status == 78 || attempts == 3 {
                throw StartFailure(
                    description: "\(process.name) ended with status \(status): \(advice)",
                    exitStatus: status == 78 ? 78 : 1)
            }
            try await Task.sleep(for: backoff.ended(after: started.duration(to: .now)))
        }
    }

    /// Ends the program for good, within the limits it was given.
    package func stop() async {
        isStopping = true
        keeping?.cancel()
        guard let child, !child.hasEnded else { return }
        for step in process.stopping + [(SIGKILL, .seconds(5))] {
            child.signal(step.signal)
            if await Deadline.passes(after: step.limit, unless: { _ = await child.exitStatus }) == false { return }
        }
        report(.process("stuck", process.name, "does not end"))
    }

    package var processID: Int32? { child.flatMap { $0.hasEnded ? nil : $0.identifier } }

    private var advice: String {
        let last = log.lastWords
        return (last.isEmpty ? "" : "\(last); ") + "its log is \(log.path)"
    }

    private func launch() async throws -> ChildProcess {
        var request = try await process.request()
        guard !isStopping else { throw CancellationError() }
        let output = try log.open()
        request.standardOutput = output.number
        request.standardError = output.number
        let child = try await spawner.spawn(request)
        self.child = child
        // A stop that came while the child was forked did not see it.
        if isStopping { child.signal(SIGKILL) }
        return child
    }

    private func becomesReady(_ child: ChildProcess) async -> Bool {
        let limit = ContinuousClock.now + process.readyLimit
        while !child.hasEnded, !isStopping, !Task.isCancelled, ContinuousClock.now < limit {
            if await process.isReady(child.identifier) { return true }
            try? await Task.sleep(for: .milliseconds(50))
        }
        return false
    }

    private func keep(_ first: ChildProcess, since: ContinuousClock.Instant) {
        keeping = Task {
            var child: ChildProcess? = first
            var started = since
            var lastStatus: Int32 = 0
            while !isStopping {
                if let child {
                    let status = await child.exitStatus
                    guard !isStopping else { return }
                    lastStatus = status
                }
                let wait = backoff.ended(after: started.duration(to: .now))
                report(
                    .process(
                        "ended", process.name,
                        "ended with status \(lastStatus); it is started again in \(wait.secondsText)",
                        [.init("status", .number(lastStatus)), .init("retryMilliseconds", .number(wait.milliseconds))]))
                guard (try? await Task.sleep(for: wait)) != nil, !isStopping else { return }
                started = .now
                child = await relaunch()
            }
        }
    }

    private func relaunch() async -> ChildProcess? {
        do {
            let child = try await launch()
            if await becomesReady(child) {
                report(.process("ready", process.name, "is ready again"))
            } else if !child.hasEnded, !isStopping {
                report(.process("notReady", process.name, "runs but is not ready"))
            }
            return child
        } catch is CancellationError {
            return nil
        } catch {
            report(
                .process(
                    "failed", process.name, "cannot be started: \(error)", [.init("reason", .string("\(error)"))]))
            return nil
        }
    }
}
