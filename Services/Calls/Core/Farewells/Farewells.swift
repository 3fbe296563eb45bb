package import Bus
package import Observability
package import SIP
import Store
import Synchronization

/// The BYEs that were sent and not answered. One that waits longer than an answer takes is stored, so that whoever takes the
/// slot over says it again: a process that dies takes the repetitions of its requests with it.
package final class Farewells: Sendable {
    private struct Key: Hashable {
        let slot: Int
        let transaction: SIPTransactionID
    }

    private struct Entry {
        let farewell: Farewell
        let lease: SlotLease
        var isKept = false
    }

    private let storage: any FarewellStorage
    private let patience: Duration
    private let pause: Duration
    private let logger: Logger
    private let waiting = Mutex<[Key: Entry]>([:])

    /// - Parameters:
    ///   - patience: before a BYE without an answer is stored; T1, after which it is repeated for the first time.
    ///   - pause: before the store is tried again.
    package init(
        storage: any FarewellStorage, patience: Duration = .milliseconds(500), pause: Duration = .seconds(1),
        logger: Logger
    ) {
        self.storage = storage
        self.patience = patience
        self.pause = pause
        self.logger = logger
    }

    package var count: Int { waiting.withLock { $0.count } }

    /// - Parameter send: sends the BYE.
    package func say(_ farewell: Farewell, under lease: SlotLease, _ send: () -> SIPTransactionID) {
        let key = waiting.withLock { waiting in
            // Under the lock, for its answer may come at once.
            let key = Key(slot: lease.slot, transaction: send())
            waiting[key] = Entry(farewell: farewell, lease: lease)
            return key
        }
        Task {
            try? await Task.sleep(for: patience)
            await keep(key)
        }
    }

    /// Whatever the answer says: the other side is gone, or cannot be reached.
    package func answered(_ transaction: SIPTransactionID, slot: Int) {
        let key = Key(slot: slot, transaction: transaction)
        guard let entry = waiting.withLock({ $0.removeValue(forKey: key) }), entry.isKept else { return }
        Task { await drop(entry) }
    }

    /// Says again what another process has said in vain.
    package func repeatKept(under lease: SlotLease, on calls: any SIPCalls) async {
        do {
            for farewell in try await storage.farewells(under: lease).map(\.restored) {
                calls.adopt(farewell.dialog, credentials: nil)
                say(farewell, under: lease) { calls.send(farewell.request, in: farewell.dialog.id) }
            }
        } catch {
            logger.warning("farewells of a slot cannot be read", [.slot: .int(lease.slot), .error: .error(error)])
        }
    }

    /// Stores what is left, for whoever gets the slot next.
    package func handOver(_ lease: SlotLease) async {
        let keys = waiting.withLock { $0.filter { $0.value.lease == lease }.map(\.key) }
        for key in keys { await keep(key, attempts: 1) }
    }

    /// The slot is another's.
    package func forget(_ lease: SlotLease) {
        waiting.withLock { waiting in waiting = waiting.filter { $0.value.lease != lease } }
    }

    private func keep(_ key: Key, attempts: Int = .max) async {
        for attempt in 1...attempts {
            guard let entry = waiting.withLock({ $0[key] }), !entry.isKept else { return }
            do {
                try await storage.keep(entry.farewell, under: entry.lease)
                let isAnswered = waiting.withLock { waiting in
                    waiting[key]?.isKept = true
                    return waiting[key] == nil
                }
                if isAnswered { await drop(entry) }
                return
            } catch StoreError.staleEpoch {
                return forget(entry.lease)
            } catch {
                if attempt < attempts { try? await Task.sleep(for: pause) }
            }
        }
    }

    /// What cannot be dropped now is when the slot is taken over.
    private func drop(_ entry: Entry) async {
        try? await storage.drop(entry.farewell, under: entry.lease)
    }
}
