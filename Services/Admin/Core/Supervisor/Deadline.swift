import Synchronization

/// Waiting with a limit for something that cannot be cancelled.
enum Deadline {
    /// True when `limit` passes before `body` is done; the body is then left to itself.
    static func passes(after limit: Duration, unless body: @escaping @Sendable () async -> Void) async -> Bool {
        let (results, first) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1))
        let waiting = Task {
            await body()
            first.yield(false)
        }
        let timer = Task {
            try? await Task.sleep(for: limit)
            first.yield(true)
        }
        defer {
            timer.cancel()
            waiting.cancel()
        }
        for await passed in results { return passed }
        return true
    }
}
