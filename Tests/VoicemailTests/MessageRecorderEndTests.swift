import Media
import Testing
import VoicemailCore

/// How a message ends by itself.
struct MessageRecorderEndTests {
    @Test("10 s of received silence ends it, and is kept")
    func silence() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(3))
        sender.send(.seconds(9), octet: SimulatedSender.silent)
        #expect(sender.recorder.end == nil)
        sender.send(.seconds(2), octet: SimulatedSender.silent)
        #expect(sender.recorder.end == .silence)
        #expect(abs(sender.milliseconds - 13_000) <= 20)
    }

    @Test("A sound in between starts the silence anew")
    func brokenSilence() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(8), octet: SimulatedSender.silent)
        sender.send(.milliseconds(40))
        sender.send(.seconds(9), octet: SimulatedSender.silent)
        #expect(sender.recorder.end == nil)
    }

    @Test("A pause without packets is no silence, also between silences")
    func pauseIsNoSilence() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(4), octet: SimulatedSender.silent)
        sender.pass(.seconds(15))
        sender.advanceClock(.seconds(15))
        sender.send(.seconds(4), octet: SimulatedSender.silent)
        #expect(sender.recorder.end == nil)
        sender.send(.seconds(3), octet: SimulatedSender.silent)
        #expect(sender.recorder.end == .silence)
    }

    @Test("Silence that is sent now and then is silence")
    func discontinuous() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(1))
        for _ in 0..<30 {
            sender.deliver(octet: SimulatedSender.silent)
            sender.pass(.milliseconds(400))
            sender.advanceClock(.milliseconds(380))
        }
        #expect(sender.recorder.end == .silence)
    }

    @Test("30 s without packets ends it at the last one")
    func noMedia() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(2))
        sender.pass(.seconds(29))
        #expect(sender.recorder.end == nil)
        sender.pass(.seconds(2))
        #expect(sender.recorder.end == .noMedia)
        #expect(sender.milliseconds == 2_000)
    }

    @Test("Nothing ever sent: 30 s, and no message")
    func neverAny() throws {
        var sender = try SimulatedSender()
        sender.pass(.seconds(31))
        #expect(sender.recorder.end == .noMedia)
        #expect(sender.milliseconds == 0)
    }

    @Test("Time before the first packet is not part of the message")
    func lateStart() throws {
        var sender = try SimulatedSender()
        sender.pass(.seconds(4))
        sender.send(.seconds(3))
        sender.hangUp()
        #expect(sender.milliseconds == 3_000)
    }

    @Test("The limit cuts to the sample", arguments: [3, 180])
    func limit(seconds: Int) throws {
        var sender = try SimulatedSender(limits: RecordingLimits(maximum: .seconds(seconds)))
        sender.send(.seconds(seconds) + .milliseconds(400))
        #expect(sender.recorder.end == .limit)
        #expect(sender.milliseconds == seconds * 1_000)
    }

    @Test("A pause over the limit ends it too")
    func limitInPause() throws {
        var sender = try SimulatedSender(limits: RecordingLimits(maximum: .seconds(5)))
        sender.send(.seconds(2))
        sender.pass(.seconds(5))
        #expect(sender.recorder.end == .limit)
        #expect(sender.milliseconds == 2_000)
    }

    @Test("A gap that reaches over the limit is cut there")
    func gapOverLimit() throws {
        var sender = try SimulatedSender(limits: RecordingLimits(maximum: .seconds(5)))
        sender.send(.seconds(2))
        sender.pass(.milliseconds(3_500))
        sender.advanceClock(.milliseconds(3_500))
        sender.send(.milliseconds(300))
        #expect(sender.recorder.end == .limit)
        #expect(sender.milliseconds == 5_000)
    }

    @Test("A sink that is full ends it as a failure")
    func fullSink() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(1))
        sender.sink.isFull = true
        sender.send(.seconds(1))
        #expect(sender.recorder.end == .failure)
    }

    @Test("The first end stays, and nothing is recorded behind it")
    func firstEndStays() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(1))
        sender.recorder.finish(.key, now: sender.now, sink: &sender.sink)
        sender.send(.seconds(1))
        sender.hangUp()
        #expect(sender.recorder.end == .key)
        #expect(sender.milliseconds == 1_000)
    }

    @Test("Whatever is sent, the message is never much longer than the time that passed")
    func fuzz() throws {
        var random = SeededGenerator(seed: 2_026)
        for _ in 0..<200 {
            var sender = try SimulatedSender(limits: RecordingLimits(silence: .seconds(1_000)))
            let start = sender.now
            for _ in 0..<300 {
                switch Int.random(in: 0..<30, using: &random) {
                case 0: sender.ssrc = UInt32.random(in: 0...3, using: &random)
                case 1: sender.timestamp = UInt32.random(in: 0...UInt32.max, using: &random)
                case 2: sender.sequence = UInt16.random(in: 0...UInt16.max, using: &random)
                case 3: sender.pass(.milliseconds(Int.random(in: 0...3_000, using: &random)))
                case 4: sender.advanceClock(.milliseconds(Int.random(in: 0...500, using: &random)))
                default:
                    sender.deliver()
                    sender.pass(.milliseconds(20))
                }
            }
            sender.hangUp()
            let passed = Int((sender.now - start) / .milliseconds(1))
            #expect(sender.milliseconds <= passed + 4_000)
        }
    }
}
