import Synchronization

/// Which greetings of users were seen last, for calls that are taken while the database is away: where they lie, not their
/// audio. One that was replaced or cleared elsewhere is not in the store any more, so that nobody hears it again.
final class GreetingCache: Sendable {
    private struct Entry {
        var media: MediaReference
        var used: Int
    }
    private struct State {
        var entries: [String: Entry] = [:]
        var uses = 0
    }
    private let state = Mutex(State())
    private let capacity: Int

    /// - Parameter capacity: users; beyond it the one not asked for longest is forgotten.
    init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// Where a user's own greeting was last seen.
    func media(of owner: String) -> MediaReference? {
        state.withLock { state in
            state.uses += 1
            state.entries[owner]?.used = state.uses
            return state.entries[owner]?.media
        }
    }

    /// - Parameter media: nil: the user has none.
    func note(_ media: MediaReference?, of owner: String) {
        state.withLock { state in
            state.uses += 1
            state.entries[owner] = media.map { Entry(media: $0, used: state.uses) }
            guard state.entries.count > capacity else { return }
            // Half of them at once, so that it is rare.
            let old = state.entries.values.map(\.used).sorted()[capacity / 2]
            state.entries = state.entries.filter { $0.value.used > old }
        }
    }
}
