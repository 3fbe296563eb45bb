package import Bus
import Domain
package import Media
package import Observability
import Runtime
import Store
import Synchronization

/// Finishes recordings whose process is gone and whose files are here: at the start, when slots are taken over, and now and
/// then for what neither caught. Whoever records holds the file's lock, so a living recording is never touched.
package final class RecordingRecovery: Component {
    package let name = "recovery"
    private static let interval = Duration.seconds(30)

    private let root: String
    private let finisher: MessageFinisher
    private let ownership: any SlotOwnership
    private let sweeper: VoicemailSweeper
    private let disk: DiskThread
    private let logger: Logger
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let wake: AsyncStream<Void>.Continuation
    private let wakes: AsyncStream<Void>

    /// - Parameter root: the folder of live recordings.
    package init(
        root: String, finisher: MessageFinisher, ownership: any SlotOwnership, sweeper: VoicemailSweeper,
        disk: DiskThread, logger: Logger
    ) {
        self.root = root
        self.finisher = finisher
        self.ownership = ownership
        self.sweeper = sweeper
        self.disk = disk
        self.logger = logger
        (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    /// Looks again soon. Any thread.
    package func look() { wake.yield() }

    package func start() async throws {
        let work = Task { [self] in
            let timer = Task { [wake] in
                while (try? await Task.sleep(for: Self.interval)) != nil { wake.yield() }
            }
            defer { timer.cancel() }
            await recover()
            for await _ in wakes {
                if Task.isCancelled { return }
                await recover()
                await sweeper.sweep()
            }
        }
        task.withLock { $0 = work }
    }

    package func stop() async {
        let work = task.withLock { $0 }
        work?.cancel()
        wake.finish()
        await work?.value
    }

    /// Finishes all that was left behind; returns how many recordings that were.
    @discardableResult
    package func recover() async -> Int {
        let names = (try? await disk.run { [root] in Disk.list(root) }) ?? []
        var count = 0
        await withTaskGroup(of: Bool.self) { group in
            for name in names { group.addTask { await self.recover(name) } }
            for await isFinished in group where isFinished { count += 1 }
        }
        return count
    }

    private func recover(_ name: String) async -> Bool {
        do {
            guard let folder = try await disk.run({ [root] in try LiveFolder(leftAt: "\(root)/\(name)") }) else {
                return false
            }
            let recording = folder.recording
            if try await finisher.isFinished(recording) {
                try await disk.run { try folder.discard() }
                return true
            }
            let epoch = max(recording.epoch, ownership.lease(slot: recording.slot)?.epoch ?? 0)
            let message = try await finisher.finish(folder, end: .crash, epoch: epoch)
            logger.notice(
                "recording of a process that died is finished",
                [.voicemail: .id(recording.id), .call: .id(recording.callID), .state: .slug(message)])
            return true
        } catch is CancellationError {
            return false
        } catch {
            logger.error("recording left behind cannot be finished", [.error: .error(error)])
            return false
        }
    }
}

/// Which slots are ours; `Membership` knows.
package protocol SlotOwnership: Sendable {
    func lease(slot: Int) -> SlotLease?
    func anyLease() -> SlotLease?
}

extension Membership: SlotOwnership {}
