import Observability
import SIP

extension SIPTimers {
    /// 64*T1 is 1.28 s.
    static let short = SIPTimers(t1: .milliseconds(20), t2: .milliseconds(80), t4: .milliseconds(100))
    /// 64*T1 is 320 ms.
    static let shortest = SIPTimers(t1: .milliseconds(5), t2: .milliseconds(20), t4: .milliseconds(20))
}

/// An endpoint on a port of the system's choice, with short timers.
struct Harness {
    /// What a test does with an event, on the SIP thread.
    typealias Reaction = @Sendable (SIPEvent, SIPEndpoint) -> Void

    let endpoint: SIPEndpoint
    let events: EventLog
    let counters = Counters()

    init(
        timers: SIPTimers = .short, port: UInt16 = 0, sessionTimers: SessionTimerPolicy? = nil,
        answersBye: Bool = true, _ reaction: @escaping Reaction = { _, _ in }
    ) async throws {
        events = EventLog(answersBye: answersBye, reaction)
        endpoint = SIPEndpoint(
            host: "127.0.0.1", port: port, userAgent: "Bellwire-Test", sessionTimers: sessionTimers, handler: events,
            timers: timers,
            logger: Logger(service: "test", instance: "1", level: .error), counters: counters)
        try await endpoint.start()
    }

    /// Runs a test against an endpoint that is stopped in any case.
    static func run(
        timers: SIPTimers = .short, port: UInt16 = 0, sessionTimers: SessionTimerPolicy? = nil,
        answersBye: Bool = true, reaction: @escaping Reaction = { _, _ in },
        _ body: (Harness) async throws -> Void
    ) async throws {
        let harness = try await Harness(
            timers: timers, port: port, sessionTimers: sessionTimers, answersBye: answersBye, reaction)
        do {
            try await body(harness)
        } catch {
            await harness.endpoint.stop()
            throw error
        }
        await harness.endpoint.stop()
    }

    func count(_ name: String, _ labels: [String: String] = [:]) -> Int { counters.counter(name, labels).value }

    /// Asks the endpoint until it holds nothing, or for ten seconds: the stack forgets by its own timers.
    /// - Parameter ignoringTimerD: client INVITE transactions, which outlive their answer by 32 s.
    func statisticsAtRest(ignoringTimerD: Bool = false) async -> SIPStatistics {
        let limit = ContinuousClock.now + .seconds(10)
        while true {
            var statistics = await endpoint.statistics()
            if ignoringTimerD { statistics.clientTransactions = 0 }
            if statistics == SIPStatistics() || ContinuousClock.now >= limit { return statistics }
        }
    }
}
