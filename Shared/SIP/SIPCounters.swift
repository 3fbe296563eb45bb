internal import CSIP
internal import Observability

/// What the endpoint counts.
struct SIPCounters: Sendable {
    let counters: Counters
    private let dialogs: Gauge
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

    /// Adds what the stack has counted since `last`: endpoints of one process share the counters. A malformed request with a
    /// Via is answered 400 by the stack; everything else is dropped.
    func refresh(_ counts: csip_counts, since last: csip_counts, dialogs change: Int) {
        add(malformedAnswered, counts, last) { $0.bad_requests }
        add(malformedDropped, counts, last) { $0.bad_messages - min($0.bad_messages, $0.bad_requests) }
        add(received, counts, last) { $0.received_messages }
        add(sent, counts, last) { $0.sent_messages }
        add(retransmitted, counts, last) { $0.retransmitted_requests + $0.retransmitted_responses }
        transactions.add(counts.transactions - last.transactions)
        dialogs.add(change)
    }

    private func add(
        _ counter: Counter, _ counts: csip_counts, _ last: csip_counts, _ value: (csip_counts) -> UInt64
    ) {
        let (now, before) = (value(counts), value(last))
        if now > before { counter.increment(by: Int(now - before)) }
    }
}

extension csip_counts {
    fileprivate var transactions: Int { Int(server_transactions + client_transactions) }
}
