import Observability
import Store

/// What this instance does in one group of slots: which it holds, and the one task that tells the handler of it.
final class SlotGroup: Sendable {
    enum Notice: Sendable {
        case acquired(SlotLease)
        case lost(SlotLease)
        /// Hand over that many idle slots.
        case offer(Int)
    }

    let name: String
    let slots: Int
    let handler: any SlotHandler
    private let notices: AsyncStream<Notice>
    private let post: AsyncStream<Notice>.Continuation

    init(name: String, slots: Int, handler: any SlotHandler) {
        self.name = name
        self.slots = slots
        self.handler = handler
        (notices, post) = AsyncStream.makeStream()
    }

    func notify(_ notice: Notice) { post.yield(notice) }

    /// What was posted before is still told.
    func finish() { post.finish() }

    /// Runs until `finish`, one notice after the other.
    func tell(_ membership: Membership) async {
        for await notice in notices {
            switch notice {
            case .acquired(let lease): await handler.acquired(lease)
            case .lost(let lease): await handler.lost(lease)
            case .offer(let count):
                await handOver(count, membership)
                membership.offerEnded(group: name)
            }
        }
    }

    private func handOver(_ count: Int, _ membership: Membership) async {
        var left = count
        // From the end: claims go from the beginning, so the same slots stay where they are.
        for lease in membership.held(group: name).sorted(by: { $0.slot > $1.slot }) where left > 0 {
            if await handler.isBusy(slot: lease.slot) { continue }
            guard membership.suspend(lease) else { continue }
            left -= 1
            await handler.lost(lease)
            await membership.release(lease)
        }
    }
}
