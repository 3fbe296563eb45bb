import Domain
import RPC

/// One page of a listing in the order of ids, which is the order of making.
struct Page {
    static let defaultLimit = 100
    static let maximumLimit = 500

    /// Items on the page, at most.
    let limit: Int
    /// The id that the page is behind.
    let after: BellwireID
    private let scope: String

    /// - Parameter limit: 0 is 100; more than 500 is 500.
    init(limit: UInt32, after token: String, scope: String) throws(RPCError) {
        self.limit = limit == 0 ? Page.defaultLimit : min(Int(limit), Page.maximumLimit)
        self.scope = scope
        guard !token.isEmpty else {
            after = BellwireID("00000000-0000-0000-0000-000000000000")!
            return
        }
        guard let place = PageToken(token, scope: scope) else {
            throw Refusal.invalid("after: not a token of this listing")
        }
        after = place.id
    }

    /// Reads one item more than fits, to see whether a page follows.
    var fetchLimit: Int { limit + 1 }

    /// The items of the page, and the token of the next; empty after the last.
    func cut<Item>(_ items: [Item], id: (Item) -> String) -> (items: [Item], next: String) {
        guard items.count > limit, let last = BellwireID(id(items[limit - 1])) else { return (items, "") }
        return (Array(items.prefix(limit)), PageToken(id: last).text(scope: scope))
    }
}
