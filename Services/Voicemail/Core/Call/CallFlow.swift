/// The course of a taken call: wait for the caller's audio, greet, beep, record, end. A pure value: time and happenings go
/// in, what to do comes out.
package struct CallFlow: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        /// Until the far side is heard, so that the greeting's first word is not lost.
        case waiting(since: Duration)
        /// Greeting and beep; the number of samples already played.
        case playing(position: Int)
        case recording
        /// Nil: ended before the beep was over, there is no message.
        case ended(RecordingEnd?)
    }

    /// What the caller of `tick` is to send.
    package enum Frame: Sendable, Equatable {
        case prompt(from: Int)
        case silence
        case nothing
    }

    /// The greeting starts by then, also when nothing is heard.
    static let longestWait = Duration.milliseconds(500)

    package private(set) var phase: Phase
    private let promptSamples: Int
    private let frameSamples: Int

    /// - Parameter promptSamples: of greeting and beep together.
    package init(promptSamples: Int, frameSamples: Int, now: Duration) {
        self.promptSamples = promptSamples
        self.frameSamples = frameSamples
        phase = .waiting(since: now)
    }

    package var isRecording: Bool { phase == .recording }

    /// A packet of the caller came.
    package mutating func heard() {
        if case .waiting = phase { phase = .playing(position: 0) }
    }

    /// The message, or the call, is over.
    package mutating func end(_ end: RecordingEnd) {
        switch phase {
        case .ended: break
        case .recording: phase = .ended(end)
        case .waiting, .playing: phase = .ended(nil)
        }
    }

    /// 20 ms passed: the frame to send.
    package mutating func tick(now: Duration) -> Frame {
        if case .waiting(let since) = phase, now - since >= Self.longestWait { phase = .playing(position: 0) }
        switch phase {
        case .waiting: return .silence
        case .playing(let position):
            guard position < promptSamples else {
                phase = .recording
                return .silence
            }
            phase = .playing(position: position + frameSamples)
            return .prompt(from: position)
        case .recording: return .silence
        case .ended: return .nothing
        }
    }
}
