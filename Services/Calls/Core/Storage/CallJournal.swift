package import Bus
import Domain
package import Observability
import Store

/// Writes the steps of all calls: those of one call in order, those of different calls side by side. A step that the store
/// cannot take now waits here and is written when it can; the call goes on meanwhile.
package actor CallJournal {
    package enum Outcome: Hashable, Sendable {
        case durable
        /// Waits here.
        case deferred
        /// Not written, and not waiting: only the first step of a call, and what the store will never take.
        case failed
        /// Another instance owns the slot: this call is no longer ours.
        case stale
    }

    private struct Entry {
        let write: CallWrite
        var answer: CheckedContinuation<Outcome, Never>?
    }

    private struct Chain {
        let lease: SlotLease
        var entries: [Entry]
        /// The first of them failed, and is tried again later.
        var isPostponed = false
    }

    private let storage: any CallStorage
    private let limit: Int
    private let backoff: Duration
    private let logger: Logger
    private let waitingGauge: Gauge
    private let lostWrites: Counter
    private var chains: [BellwireID: Chain] = [:]
    private var waiting = 0
    private var idle: [CheckedContinuation<Void, Never>] = []

    /// - Parameters:
    ///   - limit: steps that may wait. Once reached, `isFull` refuses new calls; a live call's few steps are still taken.
    ///   - backoff: between attempts, doubled up to eight times it.
    package init(
        storage: any CallStorage, limit: Int = 10_000, backoff: Duration = .milliseconds(250), logger: Logger,
        counters: Counters
    ) {
        self.storage = storage
        self.limit = limit
        self.backoff = backoff
        self.logger = logger
        waitingGauge = counters.gauge("calls_writes_waiting")
        lostWrites = counters.counter("calls_writes_lost_total")
    }

    package var isFull: Bool { waiting >= limit }

    /// Returns once the step is written, or once it is known that it has to wait.
    package func append(_ write: CallWrite, under lease: SlotLease) async -> Outcome {
        let id = write.facts.id
        return await withCheckedContinuation { continuation in
            waiting += 1
            waitingGauge.set(waiting)
            let entry = Entry(write: write, answer: continuation)
            if let chain = chains[id] {
                chains[id]?.entries.append(entry)
                if chain.isPostponed { postpone(id) }
            } else {
                chains[id] = Chain(lease: lease, entries: [entry])
                Task { await drain(id, under: lease) }
            }
        }
    }

    /// Returns once nothing waits.
    package func flush() async {
        guard !chains.isEmpty else { return }
        await withCheckedContinuation { idle.append($0) }
    }

    private func drain(_ id: BellwireID, under lease: SlotLease) async {
        var pause = backoff
        while let entry = chains[id]?.entries.first {
            do {
                try await storage.write(entry.write, under: lease)
                finish(id, .durable)
                pause = backoff
            } catch StoreError.staleEpoch {
                logger.notice("call belongs to another instance", [.call: .id(id.description)])
                while chains[id]?.entries.isEmpty == false { finish(id, .stale) }
            } catch let error where CallJournal.mayPass(error) {
                if case .create = entry.write {
                    finish(id, .failed)
                    continue
                }
                postpone(id)
                try? await Task.sleep(for: pause)
                pause = min(pause * 2, backoff * 8)
            } catch {
                lostWrites.increment()
                logger.error("step of a call cannot be stored", [.call: .id(id.description), .error: .error(error)])
                finish(id, .failed)
            }
        }
        chains[id] = nil
        guard chains.isEmpty else { return }
        for waiter in idle { waiter.resume() }
        idle = []
    }

    private func finish(_ id: BellwireID, _ outcome: Outcome) {
        guard let entry = chains[id]?.entries.removeFirst() else { return }
        waiting -= 1
        waitingGauge.set(waiting)
        entry.answer?.resume(returning: outcome)
        chains[id]?.isPostponed = false
    }

    /// Tells all who wait for this call's steps that it will take a while.
    private func postpone(_ id: BellwireID) {
        chains[id]?.isPostponed = true
        for index in chains[id]?.entries.indices ?? 0..<0 {
            chains[id]?.entries[index].answer?.resume(returning: .deferred)
            chains[id]?.entries[index].answer = nil
        }
    }

    /// Whether the same write may succeed later. A full disk passes, a wrong statement does not.
    private static func mayPass(_ error: any Error) -> Bool {
        switch error as? StoreError {
        case .unreachable, .connectionLost, .overloaded, .tooManyConnections, .notAuthorized, .conflict, .timedOut,
            .transactionEnded:
            true
        case .sql(let state): ["53", "57", "58", "08", "25"].contains(state.prefix(2))
        default: false
        }
    }
}
