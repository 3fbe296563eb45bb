public import Observability
import Synchronization

/// Runs the parts of a service: starts them in order, waits for the request to stop, stops them in reverse.
public struct ServiceRunner: Sendable {
    private let logger: Logger
    private let stopRequest: StopRequest
    private let drain: Duration
    private let progress = Progress()

    private final class Progress: Sendable {
        let isRunning = Atomic(false)
    }

    /// - Parameter drain: how long all parts together may take to stop; what is not done by then is cut off.
    public init(logger: Logger, stopRequest: StopRequest, drain: Duration) {
        self.logger = logger
        self.stopRequest = stopRequest
        self.drain = drain
    }

    /// All parts have started and none has been told to stop. Before that a service may answer, but not do its work: the last
    /// part may still fail to start.
    public var isRunning: Bool { progress.isRunning.load(ordering: .acquiring) }

    /// Returns the exit status: 0 after an orderly stop, 1 when a part could not start or the drain was cut off.
    public func run(_ components: [any Component]) async -> Int32 {
        var started: [any Component] = []
        var status: Int32 = 0
        for component in components {
            guard !stopRequest.isRequested else { break }
            do {
                try await component.start()
                started.append(component)
                logger.debug("component started", [.component: .slug(component.name)])
            } catch {
                logger.error("component cannot start", [.component: .slug(component.name), .error: .error(error)])
                status = 1
                break
            }
        }
        if status == 0 {
            progress.isRunning.store(true, ordering: .releasing)
            logger.info("service is running", [.count: .int(started.count)])
            await stopRequest.wait()
        }
        progress.isRunning.store(false, ordering: .releasing)
        return await stop(started) ? status : 1
    }

    /// True when all stopped within the drain deadline.
    private func stop(_ components: [any Component]) async -> Bool {
        logger.info("service is stopping", [.deadline: .duration(drain)])
        let stopping = Task {
            for component in components.reversed() {
                await component.stop()
                logger.debug("component stopped", [.component: .slug(component.name)])
            }
        }
        let finished = await OneShot.race(stopping, limit: drain)
        if finished {
            logger.info("service has stopped")
        } else {
            logger.warning("drain deadline passed; the rest is cut off", [.deadline: .duration(drain)])
        }
        return finished
    }
}
