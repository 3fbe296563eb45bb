import Media
import Testing
import VoicemailCore

struct MessageRecorderTests {
    @Test("A steady message is as long as what was sent", arguments: [1, 20, 75, 179])
    func steady(seconds: Int) throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(seconds))
        sender.hangUp()
        #expect(sender.milliseconds == seconds * 1_000)
        #expect(sender.sink.gaps.isEmpty)
        #expect(sender.recorder.end == .hangup)
    }

    @Test("20 s of sound, 10 s without packets, 20 s of sound: 50 s")
    func gap() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(20))
        sender.pass(.seconds(10))
        sender.advanceClock(.seconds(10))
        sender.send(.seconds(20))
        #expect(sender.recorder.end == nil)
        sender.hangUp()
        #expect(sender.milliseconds == 50_000)
        #expect(sender.sink.gaps == [20_000...30_000])
    }

    @Test("The same when the sender's clock stands still over the pause")
    func clockStandsStill() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(20))
        sender.pass(.seconds(10))
        sender.send(.seconds(20))
        sender.hangUp()
        #expect(abs(sender.milliseconds - 50_000) <= 20)
        #expect(sender.sink.gaps.count == 1)
    }

    @Test("The same when its clock went half the way")
    func clockLags() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(20))
        sender.pass(.seconds(10))
        sender.advanceClock(.seconds(5))
        sender.send(.seconds(20))
        sender.hangUp()
        #expect(abs(sender.milliseconds - 50_000) <= 20)
    }

    @Test("The same when the stream begins anew under another SSRC", arguments: [0, 5_000, 4_000_000_000] as [UInt32])
    func newSource(timestamp: UInt32) throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(20))
        sender.pass(.seconds(10))
        sender.ssrc = 99
        sender.sequence = 7
        sender.timestamp = timestamp
        sender.send(.seconds(20))
        sender.hangUp()
        #expect(abs(sender.milliseconds - 50_000) <= 20)
    }

    @Test("Another SSRC without a pause leaves no gap and loses nothing")
    func newSourceAtOnce() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(5))
        sender.ssrc = 99
        sender.sequence = 0
        sender.timestamp = 1
        sender.send(.seconds(5))
        sender.hangUp()
        #expect(sender.milliseconds == 10_000)
    }

    @Test("A second source beside the live one is not heard")
    func twoSources() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(2))
        let first = (ssrc: sender.ssrc, sequence: sender.sequence, timestamp: sender.timestamp)
        var other = (sequence: UInt16(1), timestamp: UInt32(0))
        for index in 0..<500 {
            sender.ssrc = first.ssrc
            sender.deliver(
                sequence: first.sequence &+ UInt16(index), timestamp: first.timestamp &+ UInt32(index) * 160)
            sender.ssrc = 99
            sender.deliver(sequence: other.sequence, timestamp: other.timestamp)
            other = (other.sequence &+ 1, other.timestamp &+ 160)
            sender.pass(.milliseconds(20))
        }
        sender.hangUp()
        #expect(sender.milliseconds == 12_000)
        #expect(sender.recorder.refused.foreign >= 499)
    }

    @Test("A timestamp that jumps is not believed; the wall clock is", arguments: [1_000_000, -1_000_000] as [Int32])
    func timestampJump(jump: Int32) throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(5))
        sender.timestamp &+= UInt32(bitPattern: jump)
        sender.send(.seconds(5))
        sender.hangUp()
        #expect(abs(sender.milliseconds - 10_000) <= 20)
    }

    @Test("Lost packets become silence where they were")
    func lost() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(1))
        sender.sequence &+= 5
        sender.advanceClock(.milliseconds(100))
        sender.pass(.milliseconds(100))
        sender.send(.seconds(1))
        sender.hangUp()
        #expect(sender.milliseconds == 2_100)
        #expect(sender.sink.gaps == [1_000...1_100])
    }

    @Test("Reordered and doubled packets change nothing")
    func reordered() throws {
        var sender = try SimulatedSender()
        for _ in 0..<100 {
            let (sequence, timestamp) = (sender.sequence, sender.timestamp)
            sender.deliver(sequence: sequence &+ 1, timestamp: timestamp &+ 160)
            sender.deliver(sequence: sequence, timestamp: timestamp)
            sender.deliver(sequence: sequence &+ 1, timestamp: timestamp &+ 160)
            sender.sequence &+= 2
            sender.timestamp &+= 320
            sender.pass(.milliseconds(40))
        }
        sender.hangUp()
        #expect(sender.milliseconds == 4_000)
        #expect(sender.sink.gaps.isEmpty)
    }

    @Test("A packet that comes after its turn is silence, not a shift")
    func late() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(1))
        let missed = (sequence: sender.sequence, timestamp: sender.timestamp)
        sender.sequence &+= 1
        sender.advanceClock(.milliseconds(20))
        sender.pass(.milliseconds(20))
        sender.send(.milliseconds(400))
        sender.deliver(sequence: missed.sequence, timestamp: missed.timestamp)
        sender.send(.milliseconds(580))
        sender.hangUp()
        #expect(sender.milliseconds == 2_000)
        #expect(sender.sink.gaps == [1_000...1_020])
    }

    @Test("A burst after a network stall is no pause", arguments: [300, 900, 3_000, 5_000])
    func burst(milliseconds: Int) throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(3))
        sender.pass(.milliseconds(milliseconds))
        for _ in 0..<(milliseconds / 20) { sender.deliver() }
        sender.send(.seconds(3))
        sender.hangUp()
        #expect(sender.milliseconds == 6_000 + milliseconds)
        #expect(sender.sink.gaps.isEmpty)
    }

    @Test("A jittery network neither stretches nor shortens")
    func jitter() throws {
        var random = SeededGenerator(seed: 8)
        var sender = try SimulatedSender()
        var arrivals: [(at: Int, index: Int)] = []
        for index in 0..<1_500 { arrivals.append((index * 20 + Int.random(in: 0...120, using: &random), index)) }
        arrivals.sort { ($0.at, $0.index) < ($1.at, $1.index) }
        let start = (at: sender.now, sequence: sender.sequence, timestamp: sender.timestamp)
        for arrival in arrivals {
            let elapsed = Int((sender.now - start.at) / .milliseconds(1))
            sender.pass(.milliseconds(arrival.at - elapsed))
            sender.deliver(
                sequence: start.sequence &+ UInt16(arrival.index),
                timestamp: start.timestamp &+ UInt32(arrival.index * 160))
        }
        sender.hangUp()
        #expect(sender.milliseconds == 30_000)
        #expect(sender.sink.gaps.isEmpty)
    }

    @Test("A sender whose clock is slow or fast by a hundredth is recorded as it says", arguments: [198, 202])
    func drift(tenthsOfMilliseconds: Int) throws {
        var sender = try SimulatedSender()
        for _ in 0..<3_000 {
            sender.deliver()
            sender.pass(.microseconds(tenthsOfMilliseconds * 100))
        }
        sender.hangUp()
        #expect(sender.milliseconds == 60_000)
        #expect(sender.sink.gaps.isEmpty)
    }
}
