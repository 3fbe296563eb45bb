import Bus
package import Media
package import Observability
import RPC
import Runtime
package import Store

/// What became of a recording.
package enum FinishedMessage: String, Sendable, Equatable {
    case kept
    /// Too short, or ended before the beep was over.
    case discarded
    /// Another process, or an earlier run, finished it.
    case alreadyFinished = "already_finished"
}

/// Turns a recording on disk into a voicemail: completes the file, puts it into the media store, writes row and event in one
/// transaction, removes the folder. Each step may be repeated; what fails is tried again until it works or the task is
/// cancelled, and then the folder is still there for the next start.
package struct MessageFinisher: Sendable {
    static let firstPause = Duration.milliseconds(200)
    static let longestPause = Duration.seconds(5)

    private let database: Database
    private let store: any MediaStore
    private let disk: DiskThread
    private let logger: Logger
    private let voicemails: @Sendable (RecordingEnd) -> Counter
    /// Recordings that the disk, or the database, did not take at once.
    private let failures: @Sendable (Step) -> Counter

    /// What of a recording may fail.
    enum Step: String, Sendable {
        case begin
        case write
        case finish
    }

    package init(
        database: Database, store: any MediaStore, disk: DiskThread, logger: Logger, counters: Counters
    ) {
        self.database = database
        self.store = store
        self.disk = disk
        self.logger = logger
        voicemails = { counters.counter("voicemails_total", ["end": $0.rawValue]) }
        failures = { counters.counter("recording_failures_total", ["step": $0.rawValue]) }
    }

    func countFailure(_ step: Step) { failures(step).increment() }

    /// - Parameters:
    ///   - end: nil when there is no message, since it ended before the beep was over.
    ///   - epoch: of the slot's lease, under which the recording is written.
    ///   - onDisk: called once the audio is as safe as this disk makes it, whatever the media store and the database do.
    package func finish(
        _ folder: LiveFolder, end: RecordingEnd?, epoch: Int64,
        onDisk: @Sendable (FinishedMessage) -> Void = { _ in }
    ) async throws -> FinishedMessage {
        let recording = folder.recording
        let samples = try await repeated(recording) { try await disk.run { try folder.sampleCount() } }
        // What a crash cut off goes on in another recording, so it is no short message.
        let minimum = end == .crash ? 0 : recording.minimumSeconds * recording.sampleRate
        let isKept = end != nil && samples > 0 && samples >= minimum
        // The folder is finished by the next start, if not now.
        if isKept { try? await disk.run { try folder.complete() } }
        onDisk(isKept ? .kept : .discarded)
        let isFirst = try await repeated(recording) {
            try await write(folder, samples: samples, isKept: isKept, epoch: epoch)
        }
        try await repeated(recording) { try await disk.run { try folder.discard() } }
        guard isFirst else { return .alreadyFinished }
        if let end, isKept { voicemails(end).increment() }
        logger.info(
            isKept ? "voicemail kept" : "no voicemail",
            [
                .voicemail: .id(recording.id), .call: .id(recording.callID), .count: .int(samples),
                .reason: .slug(end ?? .hangup),
            ])
        return isKept ? .kept : .discarded
    }

    /// Whether the recording needs nothing any more but to be removed: its process died after the commit.
    package func isFinished(_ recording: LiveRecording) async throws -> Bool {
        let rows = try await database.query(
            "SELECT 1 AS found FROM voicemail.recording WHERE id = \(recording.id) AND finished IS NOT NULL")
        return !rows.isEmpty
    }

    /// A call may have been recorded in parts, each by another process: they are one message.
    private func write(_ folder: LiveFolder, samples: Int, isKept: Bool, epoch: Int64) async throws -> Bool {
        let recording = folder.recording
        let part = isKept ? try await MessagePart(folder, of: recording, samples: samples, database, store, disk) : nil
        return try await database.transaction { transaction in
            let table = VoicemailTable(transaction: transaction)
            guard try await table.finish(recording, epoch: epoch) else { return false }
            if let part { try await table.write(part, of: recording) }
            return true
        }
    }

    /// Tries until it works. The first failure of a kind of step is logged, the others would say the same.
    @discardableResult
    private func repeated<Value: Sendable>(
        _ recording: LiveRecording, _ step: () async throws -> Value
    ) async throws -> Value {
        var pause = Self.firstPause
        var isReported = false
        while true {
            do {
                return try await step()
            } catch let error as CancellationError {
                throw error
            } catch {
                try Task.checkCancellation()
                if !isReported {
                    countFailure(.finish)
                    logger.warning(
                        "recording cannot be finished yet", [.voicemail: .id(recording.id), .error: .error(error)])
                }
                isReported = true
            }
            try await Task.sleep(for: pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }
}
