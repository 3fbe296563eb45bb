package import Bus
import Store

/// Writes the steps of several calls in one transaction when many come at once. A step that comes while few transactions are
/// under way goes out at once; while they are, those that come share the next one.
package actor BatchedCallStorage: CallStorage {
    private struct Entry {
        let writes: [CallWrite]
        let answer: CheckedContinuation<Void, any Error>
    }

    private let storage: any CallStorage
    private let width: Int
    private let size: Int
    private var waiting: [SlotLease: [Entry]] = [:]
    /// Of those that wait, the one that has waited longest first.
    private var turns: [SlotLease] = []
    private var underWay = 0

    /// - Parameters:
    ///   - width: transactions at one time.
    ///   - size: steps in one transaction, at most.
    package init(_ storage: any CallStorage, width: Int = 2, size: Int = 64) {
        self.storage = storage
        self.width = width
        self.size = size
    }

    package func write(_ writes: [CallWrite], under lease: SlotLease) async throws {
        try await withCheckedThrowingContinuation { answer in
            if waiting[lease] == nil { turns.append(lease) }
            waiting[lease, default: []].append(Entry(writes: writes, answer: answer))
            goOn()
        }
    }

    package var waitingCount: Int { waiting.values.map(\.count).reduce(0, +) }

    private func goOn() {
        while underWay < width, let lease = turns.first {
            turns.removeFirst()
            let entries = waiting.removeValue(forKey: lease) ?? []
            let batch = Array(entries.prefix(size))
            if entries.count > batch.count {
                waiting[lease] = Array(entries.dropFirst(batch.count))
                turns.append(lease)
            }
            underWay += 1
            Task {
                await write(batch, lease)
                underWay -= 1
                goOn()
            }
        }
    }

    private func write(_ batch: [Entry], _ lease: SlotLease) async {
        do {
            try await storage.write(batch.flatMap(\.writes), under: lease)
            for entry in batch { entry.answer.resume() }
        } catch  where batch.count > 1 && !BatchedCallStorage.concernsAll(error) {
            // One of them is to blame, and the others are not to suffer from it.
            for entry in batch { await write([entry], lease) }
        } catch {
            for entry in batch { entry.answer.resume(throwing: error) }
        }
    }

    /// Whether each alone would fail in the same way.
    private static func concernsAll(_ error: any Error) -> Bool {
        switch error as? StoreError {
        case .staleEpoch, .unreachable, .connectionLost, .overloaded, .tooManyConnections, .notAuthorized, .stopped:
            true
        default: false
        }
    }
}
