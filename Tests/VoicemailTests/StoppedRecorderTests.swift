import Media
import Testing
import VoicemailCore

/// The process does not run for a while, as under SIGSTOP or on an overloaded machine: what waited in the socket is placed
/// where it belongs.
struct StoppedRecorderTests {
    @Test("A message is as long as what was sent, whenever the process stood still", arguments: [3, 12])
    func stopped(seconds: Int) throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(3))
        sender.whileStopped { $0.send(.seconds(seconds)) }
        sender.send(.seconds(3))
        sender.hangUp()
        #expect(sender.milliseconds == 6_000 + seconds * 1_000)
        #expect(sender.sink.gaps.isEmpty)
        #expect(sender.recorder.end == .hangup)
    }

    @Test("What found no room in the socket is a gap of its length")
    func lost() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(3))
        sender.whileStopped(keeping: 200) { $0.send(.seconds(12)) }
        sender.send(.seconds(3))
        sender.hangUp()
        #expect(sender.milliseconds == 18_000)
        #expect(sender.sink.gaps == [7_000...15_000])
    }

    @Test("A pause of the caller within it is still that pause")
    func pauseWithin() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(1))
        sender.whileStopped {
            $0.send(.seconds(1))
            $0.pass(.seconds(2))
            $0.send(.seconds(1))
        }
        sender.send(.seconds(1))
        sender.hangUp()
        #expect(abs(sender.milliseconds - 6_000) <= 20)
    }

    @Test("It ends nothing by itself: neither for want of packets nor for silence")
    func endsNothing() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(2))
        sender.whileStopped(keeping: 100) { $0.send(.seconds(40)) }
        #expect(sender.recorder.end == nil)
        sender.send(.seconds(2))
        sender.hangUp()
        #expect(sender.milliseconds == 44_000)
    }

    @Test("Ten seconds of silence that were sent meanwhile end it")
    func silenceWithin() throws {
        var sender = try SimulatedSender()
        sender.send(.seconds(2))
        sender.whileStopped { $0.send(.seconds(11), octet: SimulatedSender.silent) }
        #expect(sender.recorder.end == .silence)
        #expect(sender.milliseconds == 12_000)
    }
}
