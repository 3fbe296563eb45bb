import Testing
import VoicemailCore

struct CallFlowTests {
    private func flow() -> CallFlow { CallFlow(promptSamples: 480, frameSamples: 160, now: .zero) }

    private func recordingFlow() -> CallFlow {
        var flow = flow()
        flow.heard()
        for _ in 0..<4 { _ = flow.tick(now: .zero) }
        return flow
    }

    @Test("The greeting waits for the caller's first packet, half a second at most")
    func waits() {
        var flow = flow()
        #expect(flow.tick(now: .milliseconds(20)) == .silence)
        #expect(flow.tick(now: .milliseconds(480)) == .silence)
        #expect(flow.tick(now: .milliseconds(500)) == .prompt(from: 0))
        var heard = self.flow()
        heard.heard()
        #expect(heard.tick(now: .milliseconds(20)) == .prompt(from: 0))
    }

    @Test("The prompt is played to its end, then recording begins")
    func course() {
        var flow = flow()
        flow.heard()
        let frames = (0..<4).map { _ in flow.tick(now: .zero) }
        #expect(frames == [.prompt(from: 0), .prompt(from: 160), .prompt(from: 320), .silence])
        #expect(flow.isRecording)
        #expect(flow.tick(now: .zero) == .silence)
    }

    @Test("Ended before the beep is over there is no message; behind it there is")
    func ended() {
        var early = flow()
        early.heard()
        _ = early.tick(now: .zero)
        early.end(.hangup)
        #expect(early.phase == .ended(nil))
        var late = recordingFlow()
        late.end(.hangup)
        #expect(late.phase == .ended(.hangup))
        late.end(.limit)
        #expect(late.phase == .ended(.hangup))
        #expect(late.tick(now: .zero) == .nothing)
    }
}
