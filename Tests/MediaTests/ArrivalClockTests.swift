import Media
import Testing

struct ArrivalClockTests {
    private let start = Duration.seconds(100)
    /// The real-time clock is this far ahead of the media clock.
    private let offset = Duration.seconds(1_700_000_000)

    /// A clock whose socket was last found empty at `start`.
    private func clock() -> ArrivalClock {
        var clock = ArrivalClock()
        clock.begin(monotonic: start, realTime: start + offset)
        clock.emptied()
        return clock
    }

    @Test("Packets that waited arrived when the kernel says")
    func waited() {
        var clock = clock()
        let now = start + .seconds(3)
        clock.begin(monotonic: now, realTime: now + offset)
        for milliseconds in stride(from: 0, to: 3_000, by: 20) {
            let arrival = start + .milliseconds(milliseconds)
            #expect(clock.arrival(stamp: arrival + offset, now: now) == arrival)
        }
    }

    @Test("A real-time clock that was set is believed no further than can be", arguments: [-3_600, 3_600])
    func set(seconds: Int) {
        var clock = clock()
        let now = start + .milliseconds(20)
        clock.begin(monotonic: now, realTime: now + offset + .seconds(seconds))
        let arrival = clock.arrival(stamp: start + .milliseconds(10) + offset, now: now)
        #expect(arrival >= start && arrival <= now)
    }

    @Test("Without a stamp a packet arrives when it is read, and never before the one in front of it")
    func unstamped() {
        var clock = clock()
        let now = start + .milliseconds(20)
        clock.begin(monotonic: now, realTime: now + offset)
        #expect(clock.arrival(stamp: nil, now: now) == now)
        #expect(clock.arrival(stamp: start + offset, now: now) == now)
    }
}
