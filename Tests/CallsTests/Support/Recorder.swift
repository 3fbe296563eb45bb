import Synchronization

/// What happened, in order; tests wait for what they expect.
final class Recorder<Entry: Sendable>: Sendable {
    private struct Waiter {
        let matches: @Sendable ([Entry]) -> Bool
        let continuation: CheckedContinuation<[Entry], Never>
    }

    private struct State {
        var entries: [Entry] = []
        var waiters: [Waiter] = []
    }

    private let state = Mutex(State())

    var entries: [Entry] { state.withLock { $0.entries } }

    func append(_ entry: Entry) {
        let (ready, entries) = state.withLock { state -> ([Waiter], [Entry]) in
            state.entries.append(entry)
            let entries = state.entries
            let ready = state.waiters.filter { $0.matches(entries) }
            state.waiters.removeAll { $0.matches(entries) }
            return (ready, entries)
        }
        for waiter in ready { waiter.continuation.resume(returning: entries) }
    }

    /// Returns once the entries are as wanted.
    @discardableResult
    func wait(_ matches: @escaping @Sendable ([Entry]) -> Bool) async -> [Entry] {
        await withCheckedContinuation { continuation in
            let entries = state.withLock { state -> [Entry]? in
                if matches(state.entries) { return state.entries }
                state.waiters.append(Waiter(matches: matches, continuation: continuation))
                return nil
            }
            if let entries { continuation.resume(returning: entries) }
        }
    }
}

extension Recorder where Entry: Equatable {
    func wait(for entry: Entry) async {
        await wait { $0.contains(entry) }
    }
}

/// Opens once; whoever comes before waits.
final class Gate: Sendable {
    private let opened = Recorder<Bool>()

    func open() { opened.append(true) }

    func pass() async { await opened.wait { !$0.isEmpty } }
}
