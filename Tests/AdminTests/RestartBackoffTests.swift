import AdminCore
import Testing

@Suite struct RestartBackoffTests {
    @Test func `doubles up to the longest wait`() {
        var backoff = RestartBackoff(first: .milliseconds(100), longest: .seconds(1))
        let waits = (0..<6).map { _ in backoff.ended(after: .zero) }
        #expect(waits == [100, 200, 400, 800, 1000, 1000].map { .milliseconds($0) })
    }

    @Test func `begins anew after a healthy time`() {
        var backoff = RestartBackoff(first: .milliseconds(100), longest: .seconds(1), healthyAfter: .seconds(10))
        for _ in 0..<5 { _ = backoff.ended(after: .seconds(9)) }
        #expect(backoff.ended(after: .seconds(10)) == .milliseconds(100))
        #expect(backoff.ended(after: .seconds(1)) == .milliseconds(200))
    }

    @Test func `never overflows`() {
        var backoff = RestartBackoff()
        for _ in 0..<10_000 { #expect(backoff.ended(after: .zero) <= backoff.longest) }
    }
}
