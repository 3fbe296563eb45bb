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
    /// How long the owner of the call waits for store and database before it is told that the message is kept.
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
            finisher.countFailure(.write)
            logger.error(
                "recording cannot be written", [.voicemail: .id(folder.recording.id), .error: .error(error)])
            return false
        }
    }

    /// Tells the end once the message is stored; when the store or the database keeps it waiting, once its audio is safe.
    private func finish(_ end: RecordingEnd?) async {
        let teller = EndTeller { [tell] in tell(.ended(end, isKept: $0 == .kept)) }
        do {
            let message = try await finisher.finish(
                folder, end: end, epoch: folder.recording.epoch,
                onDisk: { teller.tell($0, after: Self.patience) })
            teller.tell(message)
        } catch {
            // The process is stopping; the next start finishes it.
            teller.tell(end == nil ? .discarded : .kept)
        }
    }
}

/// Tells what became of a message once, at once or after a while, whichever comes first.
private final class EndTeller: Sendable {
    private let body: @Sendable (FinishedMessage) -> Void
    private let state = Mutex<(isTold: Bool, timer: Task<Void, Never>?)>((false, nil))

    init(_ body: @escaping @Sendable (FinishedMessage) -> Void) {
        self.body = body
    }

    func tell(_ message: FinishedMessage) {
        let (isFirst, timer) = state.withLock { state in
            defer { state = (true, nil) }
            return (!state.isTold, state.timer)
        }
        timer?.cancel()
        if isFirst { body(message) }
    }

    func tell(_ message: FinishedMessage, after delay: Duration) {
        let timer = Task {
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            tell(message)
        }
        let isTold = state.withLock { state in
            if !state.isTold { state.timer = timer }
            return state.isTold
        }
        if isTold { timer.cancel() }
    }
}
