internal import CSIP
internal import Observability

/// What the endpoint counts.
struct SIPCounters: Sendable {
    let counters: Counters
    let dialogs: Gauge
    private let transactions: Gauge
    private let stale: Counter
    private let unclaimed: Counter
    private let malformedAnswered: Counter
    private let malformedDropped: Counter
    private let received: Counter
    private let sent: Counter
    private let retransmitted: Counter
    private let requests: [SIPMethod: Counter]
    private let otherRequests: Counter
    private let responses: [Counter]

    init(_ counters: Counters) {
        self.counters = counters
        dialogs = counters.gauge("sip_dialogs")
        transactions = counters.gauge("sip_transactions")
        stale = counters.counter("sip_stale_actions_total")
        unclaimed = counters.counter("sip_unclaimed_responses_total")
        malformedAnswered = counters.counter("sip_malformed_total", ["outcome": "answered"])
        malformedDropped = counters.counter("sip_malformed_total", ["outcome": "dropped"])
        received = counters.counter("sip_messages_total", ["direction": "received"])
        sent = counters.counter("sip_messages_total", ["direction": "sent"])
        retransmitted = counters.counter("sip_retransmissions_total")
        requests = Dictionary(
            uniqueKeysWithValues: SIPMethod.allowed.map {
                ($0, counters.counter("sip_requests_total", ["method": $0.rawValue]))
            })
        otherRequests = counters.counter("sip_requests_total", ["method": "other"])
        responses = (0...6).map { counters.counter("sip_responses_total", ["class": "\($0)xx"]) }
    }

    func request(_ method: SIPMethod) { (requests[method] ?? otherRequests).increment() }

    /// Counts what was sent, by the first digit of the status.
    func response(_ status: Int) { responses[min(max(status / 100, 0), 6)].increment() }

    /// An answer to an INVITE that nobody here sent.
    func unclaimedResponse() { unclaimed.increment() }

    func staleAction() { stale.increment() }

    /// Brings the counters up to what the stack has counted. A malformed request with a Via is answered 400 by the stack;
    /// everything else is dropped.
    func refresh(_ counts: csip_counts, dialogs count: Int) {
        raise(malformedAnswered, to: counts.bad_requests)
        raise(malformedDropped, to: counts.bad_messages - min(counts.bad_messages, counts.bad_requests))
        raise(received, to: counts.received_messages)
        raise(sent, to: counts.sent_messages)
        raise(retransmitted, to: counts.retransmitted_requests + counts.retransmitted_responses)
        transactions.set(counts.server_transactions + counts.client_transactions)
        dialogs.set(count)
    }

    private func raise(_ counter: Counter, to total: UInt64) {
        let missing = Int(total) - counter.value
        if missing > 0 { counter.increment(by: missing) }
    }
}
