import Media
import Observability
import Synchronization

/// What a taken call tells its owner.
enum SessionEvent: Sendable, Equatable {
    case recording
    case ended(RecordingEnd?, isKept: Bool)
}

/// One taken call from its answer to its end: writes the live file behind the media thread, then finishes it. Runs in a task
/// of its own, since it outlives the caller's stream.
struct RecordingSession: Sendable {
    /// How far the file may be behind what was heard.
    static let flushInterval = Duration.milliseconds(250)
    /// How long the owner of the call waits for the database before it is told that the message is kept.
    static let patience = Duration.seconds(2)

    let folder: LiveFolder
    let ring: SampleRing
    let call: TakenCall
    let moments: AsyncStream<CallMoment>
    let disk: DiskThread
    let finisher: MessageFinisher
    let logger: Logger
    let tell: @Sendable (SessionEvent) -> Void

    func run() async {
        let flushing = Task { await flushUntilCancelled() }
        var end: RecordingEnd?
        for await moment in moments {
            switch moment {
            case .recording: tell(.recording)
            case .ended(let reason, _): end = reason
            }
        }
        flushing.cancel()
        await flushing.value
        if end != nil, await !flush() { end = .failure }
        await finish(end)
    }

    private func flushUntilCancelled() async {
        while (try? await Task.sleep(for: Self.flushInterval)) != nil {
            guard await flush() else {
                call.end(.failure)
                return
            }
        }
    }

    private func flush() async -> Bool {
        do {
            try await disk.run { [folder, ring] in try folder.append(from: ring) }
            return true
        } catch {
            logger.error(
                "recording cannot be written", [.voicemail: .id(folder.recording.id), .error: .error(error)])
            return false
        }
    }

    /// Tells the end once the message is stored; when the database keeps it waiting, once its audio is safe.
    private func finish(_ end: RecordingEnd?) async {
        let told = Mutex(false)
        @Sendable func tellOnce(_ message: FinishedMessage) {
            let isFirst = told.withLock { told in
                defer { told = true }
                return !told
            }
            if isFirst { tell(.ended(end, isKept: message == .kept)) }
        }
        let safe = OnDisk()
        let waiting = Task {
            guard let message = await safe.value() else { return }
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            tellOnce(message)
        }
        do {
            let message = try await finisher.finish(
                folder, end: end, epoch: folder.recording.epoch, onDisk: { safe.set($0) })
            tellOnce(message)
        } catch {
            // The process is stopping; the next start finishes it.
            safe.set(nil)
            tellOnce(end == nil ? .discarded : .kept)
        }
        waiting.cancel()
        await waiting.value
    }
}

/// A value that is set once and waited for by one task.
private struct OnDisk: Sendable {
    private let stream: AsyncStream<FinishedMessage?>
    private let continuation: AsyncStream<FinishedMessage?>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: FinishedMessage?.self)
    }

    func set(_ message: FinishedMessage?) {
        continuation.yield(message)
        continuation.finish()
    }

    /// Nil when there is none, or the task is cancelled.
    func value() async -> FinishedMessage? {
        for await message in stream { return message }
        return nil
    }
}
