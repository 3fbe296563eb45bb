import Media
import Testing
import VoicemailCore

/// Packets of every size and kind that senders make, and single ones that are wrong.
struct PacketKindTests {
    @Test("Packets of any size are recorded whole", arguments: [5, 10, 30, 40, 60, 120, 150, 200, 240, 300])
    func size(milliseconds: Int) throws {
        var sender = try SimulatedSender()
        let packets = 12_000 / milliseconds
        sender.send(packets: packets, ofMilliseconds: milliseconds)
        sender.hangUp()
        #expect(sender.milliseconds == packets * milliseconds)
        #expect(sender.sink.gaps.isEmpty)
        #expect(sender.recorder.refused == RefusedPackets())
    }

    @Test("The size may change in a message, with keys in between")
    func changingSize() throws {
        var sender = try SimulatedSender()
        for milliseconds in [20, 200, 10, 150, 60, 20] {
            sender.send(packets: 600 / milliseconds, ofMilliseconds: milliseconds)
            sender.press(try #require(DTMFDigit("5")))
        }
        sender.hangUp()
        #expect(sender.milliseconds == 6 * 600 + 5 * 100)
        #expect(sender.recorder.end == .hangup)
    }

    @Test("A packet that is too large is counted, and is a gap")
    func tooLarge() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(1))
        sender.send(packets: 1, ofMilliseconds: 500)
        sender.send(.seconds(1))
        sender.hangUp()
        #expect(sender.milliseconds == 2_500)
        #expect(sender.recorder.refused.oversized == 1)
    }

    @Test("One packet with a wrong timestamp changes nothing", arguments: [-500, -100, -20, 40, 300, 500, 900, 60_000])
    func strayTimestamp(milliseconds: Int) throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(2))
        sender.deliver(
            sequence: sender.sequence, timestamp: sender.timestamp &+ UInt32(truncatingIfNeeded: milliseconds * 8))
        sender.sequence &+= 1
        sender.timestamp &+= 160
        sender.pass(.milliseconds(20))
        sender.send(.seconds(2))
        sender.hangUp()
        #expect(sender.milliseconds == 4_020)
        #expect(sender.sink.gaps.isEmpty)
    }

    @Test("One packet of another source changes nothing, nor does its #")
    func straySource() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(2))
        let pound = TelephoneEvent(code: 11, isEnd: false, duration: 160).payload
        for (payload, type) in [(pound, UInt8(101)), ([UInt8](repeating: 0x90, count: 160), 0)] {
            sender.ssrc = 77
            sender.deliver(payload, type: type, sequence: 5, timestamp: 5)
            sender.ssrc = 1
            sender.send(.seconds(2))
        }
        #expect(sender.recorder.end == nil)
        sender.hangUp()
        #expect(sender.milliseconds == 6_000)
        #expect(sender.recorder.refused.foreign == 2)
    }

    @Test("The caller changes between the laws of G.711, and sends payload types nobody agreed on")
    func otherPayloadTypes() throws {
        var sender = try SimulatedSender()
        for type: UInt8 in [0, 8, 0, 8] {
            for _ in 0..<50 {
                sender.deliver(
                    [UInt8](repeating: 0x90, count: 160), type: type, sequence: sender.sequence,
                    timestamp: sender.timestamp)
                sender.sequence &+= 1
                sender.timestamp &+= 160
                sender.pass(.milliseconds(20))
            }
            sender.deliver([], type: 126, sequence: sender.sequence, timestamp: sender.timestamp)
            sender.sequence &+= 1
        }
        sender.hangUp()
        #expect(sender.milliseconds == 4_000)
        #expect(sender.recorder.refused.unknown == 4)
    }

    @Test("Empty packets are neither sound nor silence")
    func empty() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(1))
        for _ in 0..<20 {
            sender.deliver([], type: 0, sequence: sender.sequence, timestamp: sender.timestamp)
            sender.sequence &+= 1
            sender.pass(.seconds(1))
            sender.advanceClock(.seconds(1))
        }
        #expect(sender.recorder.end == nil)
        sender.hangUp()
        #expect(sender.milliseconds == 1_000)
    }

    @Test("Comfort noise says that the caller is silent: ten seconds behind it end the message")
    func comfortNoise() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(2))
        sender.deliver([40], type: 13, sequence: sender.sequence, timestamp: sender.timestamp)
        sender.sequence &+= 1
        sender.pass(.seconds(9))
        #expect(sender.recorder.end == nil)
        sender.advanceClock(.seconds(9))
        sender.send(.seconds(1))
        sender.deliver([40], type: 13, sequence: sender.sequence, timestamp: sender.timestamp)
        sender.pass(.seconds(11))
        #expect(sender.recorder.end == .silence)
        #expect(sender.milliseconds == 12_000)
    }

    @Test("# ends the message; the same key, pressed before the beep and held over it, does not")
    func pound() throws {
        var sender = try SimulatedSender()
        sender.recorder = MessageRecorder(
            decoder: try AudioDecoder(.pcmu), roles: PayloadRoles(codec: .pcmu, audio: 0, event: 101),
            limits: RecordingLimits())
        let pound = TelephoneEvent(code: 11, isEnd: false, duration: 160).payload
        func hold() {
            sender.deliver(pound, type: 101, sequence: sender.sequence, timestamp: sender.timestamp)
            sender.sequence &+= 1
            sender.pass(.milliseconds(20))
        }
        sender.send(.seconds(1))
        for _ in 0..<20 { hold() }
        sender.recorder.begin(now: sender.now)
        for _ in 0..<20 { hold() }
        sender.advanceClock(.milliseconds(800))
        sender.send(.seconds(2))
        #expect(sender.recorder.end == nil)
        #expect(sender.recorder.writtenSamples > 0)
        sender.press(.pound)
        sender.send(.seconds(1))
        #expect(sender.recorder.end == .key)
        #expect(sender.milliseconds == 2_000)
    }
}
