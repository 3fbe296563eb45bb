import Media
import Synchronization
import Testing

struct MediaThreadTests {
    /// Counts its ticks, and is over after some.
    private final class Session: MediaSession {
        let ticks = Mutex<[Duration]>([])
        let limit: Int
        let done: AsyncStream<Void>.Continuation

        init(limit: Int, done: AsyncStream<Void>.Continuation) {
            self.limit = limit
            self.done = done
        }

        func tick(now: Duration) -> Bool {
            let count = ticks.withLock {
                $0.append(now)
                return $0.count
            }
            if count == limit { done.finish() }
            return count < limit
        }
    }

    @Test("Each session is ticked every 20 ms until it is over, and the thread wakes for later ones")
    func ticks() async throws {
        let thread = try MediaThread()
        try await thread.start()
        for limit in [1, 11] {
            let (done, continuation) = AsyncStream.makeStream(of: Void.self)
            let session = Session(limit: limit, done: continuation)
            thread.add(session)
            for await _ in done {}
            let ticks = session.ticks.withLock { $0 }
            #expect(ticks.count == limit)
            // Twenty milliseconds on average: a late tick is made up for.
            if limit > 1 { #expect(ticks[limit - 1] - ticks[0] >= .milliseconds(150)) }
        }
        await thread.stop()
    }
}
